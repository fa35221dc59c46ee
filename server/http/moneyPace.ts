import { type Endpoint, IDEMPOTENCY_HEADER } from '@pool/contract/endpoint'
import { refusal } from '@pool/contract/refusals'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { isStaff } from './access.ts'

/**
 * A member's money calls on one node: so many at once, then one after each of these milliseconds.
 * That is 28,800 calls and 17 MB a day (docs/threats.md T28).
 */
const CALLS = { atOnce: 120, everyMs: 3_000 }
const BYTES = { atOnce: 128 * 1_024, everyMs: 5 }
/** Staff decide about the requests of many members, so they have this many times the pace. */
const STAFF = 10

/** The number of users above which those without a recent call are forgotten, once a minute. */
const MOST_KEPT = 10_000
const SWEEP_EVERY_MS = 60_000

/** The moments at which a user's calls and bytes will all have been paid off. */
type Use = { readonly calls: number; readonly bytes: number }

type Call = {
  readonly userId: string
  /** Bytes of its text. */
  readonly bytes: number
  /** The pace of the user, as a multiple. */
  readonly times?: number
}

/** Counts the money calls of this process. `now` is in milliseconds. */
export const moneyPace = (now: () => number = () => performance.now()) => {
  const uses = new Map<string, Use>()
  let sweptAt = now()

  const sweep = (at: number) => {
    if (uses.size <= MOST_KEPT || at - sweptAt < SWEEP_EVERY_MS) return
    sweptAt = at
    for (const [userId, { calls, bytes }] of uses)
      if (calls <= at && bytes <= at) uses.delete(userId)
  }
  return {
    /** Counts a call and returns 0, or returns the seconds that it must wait. */
    secondsToWait: ({ userId, bytes, times = 1 }: Call): number => {
      const at = now()
      sweep(at)
      const before = uses.get(userId)
      const use = {
        calls: Math.max(before?.calls ?? at, at) + CALLS.everyMs / times,
        bytes: Math.max(before?.bytes ?? at, at) + (bytes * BYTES.everyMs) / times,
      }
      const wait = Math.max(
        use.calls - at - CALLS.atOnce * CALLS.everyMs,
        use.bytes - at - BYTES.atOnce * BYTES.everyMs,
      )
      if (wait > 0) return Math.ceil(wait / 1_000)
      uses.set(userId, use)
      return 0
    },
    /** The number of users that are remembered. */
    kept: () => uses.size,
  }
}

const pace = moneyPace()

/** Throws `tooManyMoneyCalls` with the seconds to wait, for a money call above its user's pace. */
export const requirePace = (
  { config }: Pick<Context, 'config'>,
  { movesMoney }: Endpoint,
  { session, bodyLength, headers }: FastifyRequest,
): void => {
  if (!movesMoney || !session || !config.rateLimits) return
  const seconds = pace.secondsToWait({
    userId: session.userId,
    bytes: bodyLength + (headers[IDEMPOTENCY_HEADER]?.length ?? 0),
    times: isStaff(session) ? STAFF : 1,
  })
  if (seconds > 0) throw refusal('tooManyMoneyCalls', { seconds })
}
