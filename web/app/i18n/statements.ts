/** Sentences of the page of statements. */
import catalogue from './en/statements.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
