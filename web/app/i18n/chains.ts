/** Sentences of the networks' page. */
import catalogue from './en/chains.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
