/** Sentences of the command palette. */
import catalogue from './en/palette.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
