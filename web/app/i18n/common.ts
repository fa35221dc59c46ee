/** Sentences that any screen may use. */
import catalogue from './en/common.json' with { type: 'json' }
import { translator } from './translator.ts'

export const common = translator(catalogue)
