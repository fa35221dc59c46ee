import { refusal } from '@pool/contract/refusals'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Attempt } from '../throttle/attempts.ts'
import { minutesToWait, subscriberOf } from '../throttle/counts.ts'

/** Mails about forgotten passwords in an hour: to one email, and asked for by one range. */
const RESETS_PER_HOUR = { email: 3, range: 10 } as const

/**
 * Counts a forgotten password for all nodes, whether or not the user exists, since each may send a
 * mail. Throws `tooManyResets` with the minutes to wait.
 */
export const admitReset = async (db: Kysely<Schema>, { username, ip }: Attempt): Promise<void> => {
  const span = '1 hour'
  const minutes = await minutesToWait(
    db,
    { counted: ['reset', subscriberOf(ip)], most: RESETS_PER_HOUR.range, span },
    { counted: ['reset of', username], most: RESETS_PER_HOUR.email, span },
  )
  if (minutes > 0) throw refusal('tooManyResets', { minutes })
}
