/** The refusals of leaving blocks out, a part of contract/base/refusals.ts. */
import { sentences } from '../base/refusalSentences.ts'
import { MOST_SKIPPED } from './skips.ts'

const define = (status: number, sentence: string) => ({ status, narration: () => sentence })

export const skipRefusals = {
  blockReadable: define(409, sentences.blockReadable),
  blockNotNext: define(409, sentences.blockNotNext),
  skipRange: define(
    400,
    `A skip ends at its first block or above, has ${MOST_SKIPPED} blocks at most, and ends below the newest block.`,
  ),
  skipUncompared: define(409, sentences.skipUncompared),
  skipWaits: define(409, sentences.skipWaits),
}
