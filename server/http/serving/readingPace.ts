import { refusal } from '@pool/contract/base/refusals'
import { openPace } from './pace.ts'

/** A key's calls on one node: so many at once, then one after each of these milliseconds. */
const pace = openPace({ calls: { atOnce: 60, everyMs: 1_000 } })

/** Throws `tooManyReadingCalls` with the seconds to wait, above the pace of a key for reading. */
export const requireReadingPace = (hash: string): void => {
  const seconds = pace.secondsToWait({ userId: hash, bytes: 0 })
  if (seconds > 0) throw refusal('tooManyReadingCalls', { seconds })
}
