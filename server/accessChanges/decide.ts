import { refusal } from '@pool/contract/refusals'
import { type Timestamp, timestampFromDate } from '@pool/contract/timestamp'
import { type Kysely, sql } from 'kysely'
import { record } from '../audit/record.ts'
import type { Schema } from '../db/schema.ts'
import { letRest, stopReset } from '../factors/restingResets.ts'
import type { MailContext } from '../mail/send.ts'
import type { Caller } from '../sessions/actor.ts'
import { endingSessions } from '../sessions/ending.ts'
import { applyChange, holdUser, requireSession } from './apply.ts'

type Decision = { readonly id: string; readonly by: Caller }

/** Locks the user of a request, and returns their id. Throws `accessChangeClosed` without one. */
const holdUserOf = async (transaction: Kysely<Schema>, { id, by }: Decision): Promise<string> => {
  const change = await transaction
    .selectFrom('access_changes')
    .select('user_id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!change) throw refusal('accessChangeClosed')
  await holdUser(transaction, change.user_id)
  await requireSession(transaction, by)
  return change.user_id
}

/** The moment from which a reset of second factors has effect. Null for other changes. */
type Approved = { readonly restsUntil: Timestamp | null }

/**
 * Approves a change of access and puts it in force, or lets it rest. Throws `ownAccessChange`,
 * `ownFactorReset`, `accessChangeClosed`, and refusals of the change, after which it stays open.
 */
export const approveAccessChange = (
  context: MailContext,
  { id, by }: Decision,
): Promise<Approved> =>
  endingSessions(context.db, async (transaction) => {
    await holdUserOf(transaction, { id, by })
    const change = await transaction
      .updateTable('access_changes as c')
      .set({ status: 'DONE', decided_by: by.id, decided_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('asked_by', '<>', by.id)
      .where(sql<boolean>`(kind <> 'RESET_FACTORS' OR user_id <> ${by.id})`)
      .where(sql<boolean>`is_open_change(c)`)
      .returning(['user_id', 'kind', 'role', 'reason'])
      .executeTakeFirst()
    if (!change) throw refusal(await whyNot(transaction, { id, by }))
    const { user_id: userId, kind, role } = change
    const actor = { ...by, session: undefined }
    if (kind === 'RESET_FACTORS') {
      const { reason } = change
      const until = await letRest(transaction, context, { id, userId, by: actor, reason })
      return { restsUntil: timestampFromDate(until) }
    }
    await record(transaction, context.keys, {
      by: actor,
      action: 'access.approved',
      subject: { type: 'user', id: userId },
      ownerId: userId,
      after: { kind, ...(role && { role }) },
      reason: change.reason,
    })
    await applyChange(transaction, context.keys, { userId, kind, role, by: actor })
    return { restsUntil: null }
  })

const whyNot = async (transaction: Kysely<Schema>, { id, by }: Decision) => {
  const open = await transaction
    .selectFrom('access_changes as c')
    .select(['asked_by', 'user_id', 'kind'])
    .where('id', '=', id)
    .where(sql<boolean>`is_open_change(c)`)
    .executeTakeFirst()
  if (open?.kind === 'RESET_FACTORS' && open.user_id === by.id) return 'ownFactorReset'
  return open?.asked_by === by.id ? 'ownAccessChange' : 'accessChangeClosed'
}

/**
 * Rejects a change of access, withdraws the caller's own, or stops a reset that rests. Throws
 * `accessChangeClosed`.
 */
export const declineAccessChange = (context: MailContext, { id, by }: Decision): Promise<void> =>
  endingSessions(context.db, async (transaction) => {
    const userId = await holdUserOf(transaction, { id, by })
    const change = await transaction
      .updateTable('access_changes')
      .set({
        status: sql`CASE WHEN asked_by = ${by.id} THEN 'WITHDRAWN' ELSE 'REJECTED' END`,
        decided_by: by.id,
        decided_at: sql<Date>`now()`,
      })
      .where('id', '=', id)
      .where('status', '=', 'OPEN')
      .returning(['kind', 'role', 'status'])
      .executeTakeFirst()
    if (!change || change.kind === 'RESET_FACTORS') {
      if (!(await stopReset(transaction, context, { id, userId, by })))
        throw refusal('accessChangeClosed')
      return
    }
    await record(transaction, context.keys, {
      by,
      action: change.status === 'WITHDRAWN' ? 'access.withdrawn' : 'access.rejected',
      subject: { type: 'user', id: userId },
      ownerId: userId,
      before: { kind: change.kind, ...(change.role && { role: change.role }) },
    })
  })
