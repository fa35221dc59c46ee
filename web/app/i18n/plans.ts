/** Sentences of the page of plans. */
import catalogue from './en/plans.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
