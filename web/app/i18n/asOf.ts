/** The age of rows from a replica. */
import catalogue from './en/asOf.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
