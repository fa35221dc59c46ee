import { refusal } from '@pool/contract/refusals'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { minutesToWait, subscriberOf } from '../throttle/counts.ts'

/** Admitted registrations per range in an hour. Each may reveal a user. */
const REGISTRATIONS_PER_HOUR = 10

/**
 * Counts a registration for all nodes, before any look-up, since a refusal reveals a user.
 * Throws `tooManyRegistrations` with the minutes to wait.
 */
export const admitRegistration = async (db: Kysely<Schema>, ip: string): Promise<void> => {
  const minutes = await minutesToWait(db, {
    counted: ['registration', subscriberOf(ip)],
    most: REGISTRATIONS_PER_HOUR,
    span: '1 hour',
  })
  if (minutes > 0) throw refusal('tooManyRegistrations', { minutes })
}
