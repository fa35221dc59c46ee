/** Sentences of the sign-in and the sign-up page. */
import catalogue from './en/account.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
