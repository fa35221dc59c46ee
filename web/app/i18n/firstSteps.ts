/** Sentences of the first steps of an investor. */
import catalogue from './en/firstSteps.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
