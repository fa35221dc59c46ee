/** Sentences of the page of today. */
import catalogue from './en/today.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
