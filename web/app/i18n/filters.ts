/** Sentences of the filters of lists, beside those of every list. */
import catalogue from './en/filters.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
