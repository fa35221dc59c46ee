/** Sentences of the audit trail. */
import catalogue from './en/audit.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
