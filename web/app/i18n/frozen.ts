/** Sentences about a frozen account. */
import catalogue from './en/frozen.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
