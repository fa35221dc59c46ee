/** Sentences of second factors. */
import catalogue from './en/factors.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
