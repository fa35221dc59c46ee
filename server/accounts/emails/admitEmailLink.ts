import { refusal } from '@pool/contract/base/refusals'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { subscriberOf } from '../../base/sessions/ipRange.ts'
import { minutesToWait } from '../throttle/counts.ts'

/** Links for email addresses in an hour: of one user, to one email, and asked for by one range. */
const EMAIL_LINKS_PER_HOUR = { user: 5, email: 3, range: 10 } as const

/**
 * Counts a link for an email address for all nodes, whether or not another user has it, since each
 * sends a mail. Throws `tooManyEmailLinks` with the minutes to wait.
 */
export const admitEmailLink = async (
  db: Kysely<Schema>,
  { userId, email, ip }: { readonly userId: string; readonly email: string; readonly ip: string },
): Promise<void> => {
  const span = '1 hour'
  const minutes = await minutesToWait(
    db,
    { counted: ['email link', subscriberOf(ip)], most: EMAIL_LINKS_PER_HOUR.range, span },
    { counted: ['email link by', userId], most: EMAIL_LINKS_PER_HOUR.user, span },
    { counted: ['email link of', email], most: EMAIL_LINKS_PER_HOUR.email, span },
  )
  if (minutes > 0) throw refusal('tooManyEmailLinks', { minutes })
}
