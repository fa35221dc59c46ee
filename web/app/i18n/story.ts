/** Sentences of the side panel that tells the story of a transaction or an investment. */
import catalogue from './en/story.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
