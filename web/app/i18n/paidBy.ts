/** Sentences about who pays the investors' interest. */
import catalogue from './en/paidBy.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
