/** Sentences about the coins to send for a deposit. */
import catalogue from './en/quotes.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
