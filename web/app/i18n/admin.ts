/** Sentences of the admin dashboard. */
import catalogue from './en/admin.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
