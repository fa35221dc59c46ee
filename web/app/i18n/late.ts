/** Sentences about code that could not be loaded. */
import catalogue from './en/late.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
