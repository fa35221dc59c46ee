/** Sentences about what others did, said as it happens. */
import catalogue from './en/changes.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
