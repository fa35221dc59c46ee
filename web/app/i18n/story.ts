/** Sentences of the side panel with a story. */
import catalogue from './en/story.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
