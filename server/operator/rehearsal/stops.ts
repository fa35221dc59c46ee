/** Causes that stop a rehearsal, and the way on. */
import { dollarsFromCents, formatDollars } from '@pool/contract/base/money'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { readOwedBefore } from '../../lending/windDown/takeCapital.ts'

type StoppingPause = { readonly reason: string; readonly isBreak: boolean }

/**
 * A pause of withdrawals by a person or by a break of the reconciliation, as a sentence. An open
 * loss stops nothing: the rehearsal ends it.
 */
export const stoppingPause = async (db: Kysely<Schema>): Promise<string | undefined> => {
  const { rows } = await sql<StoppingPause>`
    SELECT reason, reconciliation_id IS NOT NULL AS "isBreak" FROM pauses
    WHERE name = 'withdrawals' AND paused_at IS NOT NULL AND (reconciliation_id IS NOT NULL OR NOT by_loss)`.execute(
    db,
  )
  const [held] = rows
  return (
    held &&
    `Withdrawals are paused: ${held.reason} ${held.isBreak ? 'Two super admins end that on /admin/reconciliation of the pool. Then restore a newer backup and rehearse that.' : 'End the pause with "npm run pauses -- resume withdrawals". Then call this command again, and it goes on.'}`
  )
}

/** The sum that is still owed once nothing is due any more, as a sentence. */
export const stuckSentence = async (db: Kysely<Schema>): Promise<string> => {
  const owed = await readOwedBefore(db)
  return `${formatDollars(dollarsFromCents(owed))} is owed that no day ahead pays. Find it on /admin and /admin/losses of the pool, settle it there, and rehearse a newer backup.`
}
