import { refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import { type OnRecord, record } from '../audit/record.ts'
import type { Schema } from '../db/schema.ts'
import type { Caller } from '../sessions/actor.ts'
import { endingSessions } from '../sessions/ending.ts'
import { applyChange, holdUser, requireSession } from './apply.ts'

type Decision = { readonly id: string; readonly by: Caller }

/** Locks the user of a request. Throws `accessChangeClosed` for no such request. */
const holdUserOf = async (transaction: Kysely<Schema>, { id, by }: Decision): Promise<void> => {
  const change = await transaction
    .selectFrom('access_changes')
    .select('user_id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!change) throw refusal('accessChangeClosed')
  await holdUser(transaction, change.user_id)
  await requireSession(transaction, by)
}

/**
 * Approves a change of access and puts it in force. Throws `ownAccessChange`, `accessChangeClosed`,
 * and refusals of the change, after which it stays open.
 */
export const approveAccessChange = ({ db, keys }: OnRecord, { id, by }: Decision): Promise<void> =>
  endingSessions(db, async (transaction) => {
    await holdUserOf(transaction, { id, by })
    const change = await transaction
      .updateTable('access_changes as c')
      .set({ status: 'DONE', decided_by: by.id, decided_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('asked_by', '<>', by.id)
      .where(sql<boolean>`is_open_change(c)`)
      .returning(['user_id', 'kind', 'role', 'reason'])
      .executeTakeFirst()
    if (!change) throw refusal(await whyNot(transaction, { id, by }))
    const { user_id: userId, kind, role } = change
    const actor = { ...by, session: undefined }
    await record(transaction, keys, {
      by: actor,
      action: 'access.approved',
      subject: { type: 'user', id: userId },
      ownerId: userId,
      after: { kind, ...(role && { role }) },
      reason: change.reason,
    })
    await applyChange(transaction, keys, { userId, kind, role, by: actor })
  })

const whyNot = async (transaction: Kysely<Schema>, { id, by }: Decision) => {
  const own = await transaction
    .selectFrom('access_changes as c')
    .select('id')
    .where('id', '=', id)
    .where('asked_by', '=', by.id)
    .where(sql<boolean>`is_open_change(c)`)
    .executeTakeFirst()
  return own ? 'ownAccessChange' : 'accessChangeClosed'
}

/** Rejects a change of access, or withdraws the caller's own. Throws `accessChangeClosed`. */
export const declineAccessChange = ({ db, keys }: OnRecord, { id, by }: Decision): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const change = await transaction
      .updateTable('access_changes')
      .set({
        status: sql`CASE WHEN asked_by = ${by.id} THEN 'WITHDRAWN' ELSE 'REJECTED' END`,
        decided_by: by.id,
        decided_at: sql<Date>`now()`,
      })
      .where('id', '=', id)
      .where('status', '=', 'OPEN')
      .returning(['user_id', 'kind', 'role', 'status'])
      .executeTakeFirst()
    if (!change) throw refusal('accessChangeClosed')
    await record(transaction, keys, {
      by,
      action: change.status === 'WITHDRAWN' ? 'access.withdrawn' : 'access.rejected',
      subject: { type: 'user', id: change.user_id },
      ownerId: change.user_id,
      before: { kind: change.kind, ...(change.role && { role: change.role }) },
    })
  })
