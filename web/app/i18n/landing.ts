/** Sentences of the landing page. */
import catalogue from './en/landing.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
