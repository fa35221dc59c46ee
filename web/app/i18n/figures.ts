/** Sentences of the admin's charts. */
import catalogue from './en/figures.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
