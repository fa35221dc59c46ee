/** Sentences of the bell. */
import catalogue from './en/bell.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
