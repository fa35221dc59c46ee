import { refusal } from '@pool/contract/base/refusals'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { minutesToWait } from '../throttle/counts.ts'

/** Changes of a password in an hour. Each ends the links that a forgotten one was mailed. */
const CHANGES_PER_HOUR = 5

/**
 * Counts a change by the right password, so that a thief of it cannot end each link that its owner
 * asks for. Throws `tooManySignIns` with the minutes to wait.
 */
export const admitPasswordChange = async (db: Kysely<Schema>, userId: string): Promise<void> => {
  const minutes = await minutesToWait(db, {
    counted: ['password change', userId],
    most: CHANGES_PER_HOUR,
    span: '1 hour',
  })
  if (minutes > 0) throw refusal('tooManySignIns', { minutes })
}
