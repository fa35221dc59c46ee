/** Sentences of the first steps of staff. */
import catalogue from './en/setup.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
