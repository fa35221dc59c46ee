/** Sentences about what an investor's money works in. */
import catalogue from './en/worksIn.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
