/** Sentences of the order of withdrawals. */
import catalogue from './en/order.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
