import { refusal } from '@pool/contract/base/refusals'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { subscriberOf } from '../../base/sessions/ipRange.ts'
import { resetMailsTo } from '../recovery/resetMails.ts'
import type { Attempt } from '../throttle/attempts.ts'
import { minutesToWait } from '../throttle/counts.ts'

/** Mails about forgotten passwords that one range asks for in an hour. */
const RESETS_BY_RANGE = 10

/**
 * Counts a forgotten password for all nodes, whether or not the user exists, since each may send a
 * mail. Throws `tooManyResets` with the minutes to wait.
 */
export const admitReset = async (db: Kysely<Schema>, { username, ip }: Attempt): Promise<void> => {
  const minutes = await minutesToWait(
    db,
    { counted: ['reset', subscriberOf(ip)], most: RESETS_BY_RANGE, span: '1 hour' },
    resetMailsTo(username),
  )
  if (minutes > 0) throw refusal('tooManyResets', { minutes })
}
