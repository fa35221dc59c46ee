/** Sentences of the page of rates. */
import catalogue from './en/rates.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
