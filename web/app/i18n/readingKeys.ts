/** Sentences of the keys for reading. */
import catalogue from './en/readingKeys.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
