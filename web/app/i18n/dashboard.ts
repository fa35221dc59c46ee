/** Sentences of the investor's dashboard. */
import catalogue from './en/dashboard.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
