/** Sentences of lists by pages. */
import catalogue from './en/pages.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
