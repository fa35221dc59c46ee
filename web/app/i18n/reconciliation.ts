/** Sentences of the page of the reconciliation. */
import catalogue from './en/reconciliation.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
