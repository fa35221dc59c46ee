/** Sentences of the page of an account's security. */
import catalogue from './en/security.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
