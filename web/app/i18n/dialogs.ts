/** Sentences of the investor's dialogs, which load on demand. */
import catalogue from './en/dialogs.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
