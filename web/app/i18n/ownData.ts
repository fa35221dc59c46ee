/** Sentences about the data that is kept about an account. */
import catalogue from './en/ownData.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
