/** Sentences of the page of the stress. */
import catalogue from './en/stress.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
