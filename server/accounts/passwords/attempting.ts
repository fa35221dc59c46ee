import { refusal } from '@pool/contract/base/refusals'
import { subscriberOf } from '../../base/sessions/ipRange.ts'
import type { WithConfig } from '../../http/context.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import {
  type Attempt,
  admitAttempt,
  attemptNotMade,
  attemptSucceeded,
} from '../throttle/attempts.ts'
import { minutesToWait } from '../throttle/counts.ts'
import { withPlace } from './turns.ts'

type AttemptContext = OnRecord & WithConfig

/**
 * Runs an attempt with a password, counted as failed unless it succeeds. Throws `tooManySignIns`
 * with the minutes to wait, and `busy`.
 */
export const attempting = <T>(
  means: AttemptContext,
  attempt: Attempt,
  look: () => Promise<T>,
): Promise<T> => {
  const { config, db } = means
  if (!config.rateLimits) return withPlace(undefined, look)
  const limited = {
    ip: attempt.ip,
    admit: () => admit(means, attempt),
    takeBack: () => attemptNotMade(db, attempt),
  }
  return withPlace(limited, async () => {
    const found = await look()
    await attemptSucceeded(db, attempt)
    return found
  })
}

const admit = async (means: AttemptContext, attempt: Attempt): Promise<void> => {
  const minutes = await admitAttempt(means.db, attempt)
  if (minutes === 0) return
  await recordThrottled(means, attempt)
  throw refusal('tooManySignIns', { minutes })
}

/** Records at most one entry a minute for a range of IP addresses, however many it sends. */
const recordThrottled = async (
  { db, keys }: AttemptContext,
  { username, ip }: Attempt,
): Promise<void> => {
  const counted = ['throttled', subscriberOf(ip)]
  if ((await minutesToWait(db, { counted, most: 1, span: '1 minute' })) > 0) return
  await record(db, keys, {
    by: { name: username.slice(0, 254), from: ip },
    action: 'session.throttled',
    subject: { type: 'user', id: '' },
  })
}
