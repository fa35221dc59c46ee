/** Sentences of the toasts about changes. */
import catalogue from './en/changes.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
