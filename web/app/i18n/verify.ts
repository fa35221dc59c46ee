/** Sentences of the page that checks files of the pool. */
import catalogue from './en/verify.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
