/** Sentences of the inbox, and of the choice of mails. */
import catalogue from './en/notices.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
