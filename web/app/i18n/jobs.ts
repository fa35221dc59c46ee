/** Names of background work. */
import catalogue from './en/jobs.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
