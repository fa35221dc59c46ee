/** Sentences about wallets that wait for a second person. */
import catalogue from './en/waiting.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
