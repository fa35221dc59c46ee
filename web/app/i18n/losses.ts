/** Sentences of the page of losses. */
import catalogue from './en/losses.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
