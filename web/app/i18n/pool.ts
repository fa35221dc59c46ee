/** Sentences of the public page of the pool. */
import catalogue from './en/pool.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
