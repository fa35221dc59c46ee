/** Sentences about pauses. */
import catalogue from './en/pauses.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
