/** Sentences of the list of undelivered mails. */
import catalogue from './en/undelivered.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
