/** Sentences about collateral, documents, updates and grades. */
import catalogue from './en/loanRecords.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
