/** Sentences of the pages that mailed links open. */
import catalogue from './en/links.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
