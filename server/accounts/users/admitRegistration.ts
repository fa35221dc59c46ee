import { refusal } from '@pool/contract/base/refusals'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { subscriberOf } from '../../base/sessions/ipRange.ts'
import { type Limit, minutesToWait, uncount } from '../throttle/counts.ts'

/** Admitted registrations per range in an hour. Each may reveal a user. */
const REGISTRATIONS_PER_HOUR = 10

const limitOf = (ip: string): Limit => ({
  counted: ['registration', subscriberOf(ip)],
  most: REGISTRATIONS_PER_HOUR,
  span: '1 hour',
})

/**
 * Counts a registration for all nodes, before any look-up, since a refusal reveals a user.
 * Throws `tooManyRegistrations` with the minutes to wait.
 */
export const admitRegistration = async (db: Kysely<Schema>, ip: string): Promise<void> => {
  const minutes = await minutesToWait(db, limitOf(ip))
  if (minutes > 0) throw refusal('tooManyRegistrations', { minutes })
}

/** Uncounts a registration that found no place, so that it revealed nothing. */
export const registrationNotMade = (db: Kysely<Schema>, ip: string): Promise<void> =>
  uncount(db, limitOf(ip))
