import { type Endpoint, IDEMPOTENCY_HEADER } from '@pool/contract/base/endpoint'
import { refusal } from '@pool/contract/base/refusals'
import type { FastifyRequest } from 'fastify'
import type { WithConfig } from '../context.ts'
import { isStaff } from './access.ts'
import { openPace } from './pace.ts'

/**
 * A member's money calls on one node: so many at once, then one after each of these milliseconds.
 * That is 28,800 calls and 17 MB a day (docs/threats.md T28).
 */
export const MONEY_PACE = {
  calls: { atOnce: 120, everyMs: 3_000 },
  bytes: { atOnce: 128 * 1_024, everyMs: 5 },
}
/** Staff decide about the requests of many members, so they have this many times the pace. */
const STAFF = 10

const pace = openPace(MONEY_PACE)

/** Throws `tooManyMoneyCalls` with the seconds to wait, for a money call above its user's pace. */
export const requirePace = (
  { config }: WithConfig,
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
