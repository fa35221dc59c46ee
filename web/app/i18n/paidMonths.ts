/** Words of the table of interest by month. */
import catalogue from './en/paidMonths.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
