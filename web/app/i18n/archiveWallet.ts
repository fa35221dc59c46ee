/** Sentences of the dialog that archives or restores a wallet. */
import catalogue from './en/archiveWallet.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
