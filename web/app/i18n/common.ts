/** Sentences of any screen. */
import catalogue from './en/common.json' with { type: 'json' }
import { translator } from './translator.ts'

export const common = translator(catalogue)
