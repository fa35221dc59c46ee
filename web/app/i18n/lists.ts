/** Sentences of every list: search, filters, order, export. */
import catalogue from './en/lists.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
