/** Sentences about the check of what an investor is owed. */
import catalogue from './en/inclusion.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
