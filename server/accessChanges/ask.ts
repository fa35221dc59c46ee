import type { AccessChangeKind, AskedChange } from '@pool/contract/accessChanges'
import type { Language } from '@pool/contract/languages'
import { refusal } from '@pool/contract/refusals'
import { type Timestamp, timestampFromDate } from '@pool/contract/timestamp'
import type { RoleType } from '@pool/contract/users'
import { type Kysely, sql } from 'kysely'
import { record } from '../audit/record.ts'
import { violatedConstraint } from '../db/errors.ts'
import { newId } from '../db/ids.ts'
import type { Schema } from '../db/schema.ts'
import { addReset, letRest, tellAsked } from '../factors/restingResets.ts'
import type { MailContext } from '../mail/send.ts'
import type { Caller } from '../sessions/actor.ts'
import { endingSessions } from '../sessions/ending.ts'
import { addInvite, mailInvite } from '../users/invites.ts'
import { hasOtherSuperAdmin, requireFitting } from '../users/roles.ts'
import { applyChange, holdSessions, holdUser, isNeedless, requireSession } from './apply.ts'

type Asking = { readonly by: Caller; readonly language: Language }
type Invited = Extract<AskedChange, { readonly kind: 'INVITE' }>
type OfUser = Exclude<AskedChange, Invited>

type Asked = {
  readonly id: string
  readonly isInForce: boolean
  readonly restsUntil: Timestamp | null
}

/**
 * Asks for a change of access, which a second super admin approves. The only super admin's needs no
 * approval. Throws `userNotFound`, `ownFactorReset`, and refusals of the change or the invite.
 */
export const askAccessChange = (
  context: MailContext,
  asking: Asking,
  change: AskedChange,
): Promise<Asked> =>
  change.kind === 'INVITE' ? askInvite(context, asking, change) : askOfUser(context, asking, change)

/** Asks to invite a person to the staff. The mail goes out once it is approved. */
const askInvite = (
  context: MailContext,
  { by, language }: Asking,
  { kind, role, reason, ...invitee }: Invited,
): Promise<Asked> =>
  endingSessions(context.db, async (transaction) => {
    await holdSessions(transaction)
    await requireSession(transaction, by)
    const isAlone = !(await hasOtherSuperAdmin(transaction, by.id))
    const id = await addRequest(transaction, { userId: null, kind, role, reason, by, isAlone })
    await addInvite(transaction, { id, language, ...invitee })
    await record(transaction, context.keys, {
      by,
      action: 'access.asked',
      subject: { type: 'user', id: '' },
      after: { kind, role, email: invitee.email, ...(isAlone && { alone: true }) },
      reason,
    })
    if (isAlone) await mailInvite(transaction, context, id)
    return { id, isInForce: isAlone, restsUntil: null }
  })

const askOfUser = (context: MailContext, { by }: Asking, change: OfUser): Promise<Asked> =>
  endingSessions(context.db, async (transaction) => {
    const { userId, kind, reason } = change
    const role = 'role' in change ? change.role : null
    await holdUser(transaction, userId)
    await requireSession(transaction, by)
    if (kind === 'RESET_FACTORS' && userId === by.id) throw refusal('ownFactorReset')
    if (await isNeedless(transaction, { userId, kind, role })) throw refusal('accessChangeNeedless')
    if (kind === 'GRANT' && role) await requireFitting(transaction, { userId, role })
    const isAlone = !(await hasOtherSuperAdmin(transaction, by.id))
    const id = await addRequest(transaction, { userId, kind, role, reason, by, isAlone })
    const actor = { ...by, session: undefined }
    if (kind === 'RESET_FACTORS') {
      const reset = { id, userId, by: actor, reason }
      if (!(await addReset(transaction, reset))) throw refusal('accessChangeAsked')
      await tellAsked(transaction, context, reset)
      const until = isAlone ? await letRest(transaction, context, reset) : undefined
      return { id, isInForce: false, restsUntil: until ? timestampFromDate(until) : null }
    }
    await record(transaction, context.keys, {
      by: actor,
      action: 'access.asked',
      subject: { type: 'user', id: userId },
      ownerId: userId,
      after: { kind, ...(role && { role }), ...(isAlone && { alone: true }) },
      reason,
    })
    if (isAlone) await applyChange(transaction, context.keys, { userId, kind, role, by: actor })
    return { id, isInForce: isAlone, restsUntil: null }
  })

type Request = {
  readonly userId: string | null
  readonly kind: AccessChangeKind
  readonly role: RoleType | null
  readonly reason: string
  readonly by: Caller
  readonly isAlone: boolean
}

/** Adds a request and returns its id. Throws `accessChangeAsked` for a second one. */
const addRequest = async (
  transaction: Kysely<Schema>,
  { userId, kind, role, reason, by, isAlone }: Request,
): Promise<string> => {
  // A request that ran out makes room for a new one.
  await sql`
    UPDATE access_changes AS c SET status = 'WITHDRAWN', decided_by = asked_by, decided_at = now()
    WHERE user_id = ${userId} AND status = 'OPEN' AND NOT is_open_change(c)`.execute(transaction)
  const id = newId()
  try {
    await transaction
      .insertInto('access_changes')
      .values({
        id,
        user_id: userId,
        kind,
        role,
        reason,
        asked_by: by.id,
        ...(isAlone && { status: 'DONE' as const, decided_at: sql<Date>`now()` }),
      })
      .execute()
  } catch (error) {
    throw violatedConstraint(error) === 'access_changes_are_asked_once'
      ? refusal('accessChangeAsked')
      : error
  }
  return id
}
