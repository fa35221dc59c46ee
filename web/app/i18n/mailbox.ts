/** Sentences of the sandbox's mailbox. */
import catalogue from './en/mailbox.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
