/** Sentences of the queue of requests. */
import catalogue from './en/queue.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
