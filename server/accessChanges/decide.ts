import { refusal } from '@pool/contract/refusals'
import { type Timestamp, timestampFromDate } from '@pool/contract/timestamp'
import { type Kysely, sql } from 'kysely'
import { record } from '../audit/record.ts'
import type { Schema } from '../db/schema.ts'
import { letRest, stopReset } from '../factors/restingResets.ts'
import type { MailContext } from '../mail/send.ts'
import type { Caller } from '../sessions/actor.ts'
import { endingSessions } from '../sessions/ending.ts'
import { endInvite, mailInvite } from '../users/invites.ts'
import { applyChange, holdSessions, holdUser, requireSession } from './apply.ts'

type Decision = { readonly id: string; readonly by: Caller }

/**
 * Locks the user of a request, and returns their id, null for an invite. Throws
 * `accessChangeClosed` without a request.
 */
const holdUserOf = async (
  transaction: Kysely<Schema>,
  { id, by }: Decision,
): Promise<string | null> => {
  const change = await transaction
    .selectFrom('access_changes')
    .select('user_id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!change) throw refusal('accessChangeClosed')
  if (change.user_id === null) await holdSessions(transaction)
  else await holdUser(transaction, change.user_id)
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
    if (kind === 'RESET_FACTORS' && userId !== null) {
      const { reason } = change
      const until = await letRest(transaction, context, { id, userId, by: actor, reason })
      return { restsUntil: timestampFromDate(until) }
    }
    const email = await inviteeOf(transaction, id)
    await record(transaction, context.keys, {
      by: actor,
      action: 'access.approved',
      ...aboutUser(userId),
      after: { kind, ...(role && { role }), ...(email && { email }) },
      reason: change.reason,
    })
    if (userId === null) await mailInvite(transaction, context, id)
    else if (kind !== 'INVITE' && kind !== 'RESET_FACTORS')
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
    if (userId !== null && (!change || change.kind === 'RESET_FACTORS')) {
      if (!(await stopReset(transaction, context, { id, userId, by })))
        throw refusal('accessChangeClosed')
      return
    }
    // An approved invite ends with its link.
    if (userId === null && !(await endInvite(transaction, id))) throw refusal('accessChangeClosed')
    const { kind, role, status } = change ?? { kind: 'INVITE', role: null, status: 'WITHDRAWN' }
    const email = await inviteeOf(transaction, id)
    await record(transaction, context.keys, {
      by,
      action: status === 'WITHDRAWN' ? 'access.withdrawn' : 'access.rejected',
      ...aboutUser(userId),
      before: { kind, ...(role && { role }), ...(email && { email }) },
    })
  })

const aboutUser = (userId: string | null) => ({
  subject: { type: 'user' as const, id: userId ?? '' },
  ownerId: userId ?? undefined,
})

/** The address of an invite. Undefined for another change. */
const inviteeOf = async (transaction: Kysely<Schema>, id: string): Promise<string | undefined> =>
  (await transaction.selectFrom('invites').select('email').where('id', '=', id).executeTakeFirst())
    ?.email
