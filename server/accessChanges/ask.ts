import type { AskedChange } from '@pool/contract/accessChanges'
import { refusal } from '@pool/contract/refusals'
import { sql } from 'kysely'
import { type OnRecord, record } from '../audit/record.ts'
import { violatedConstraint } from '../db/errors.ts'
import { newId } from '../db/ids.ts'
import type { Caller } from '../sessions/actor.ts'
import { endingSessions } from '../sessions/ending.ts'
import { hasOtherSuperAdmin, requireFitting } from '../users/roles.ts'
import { applyChange, holdUser, isNeedless, requireSession } from './apply.ts'

type Asked = { readonly id: string; readonly isInForce: boolean }

/**
 * Asks for a change of access, which a second super admin approves. The only super admin's is in
 * force at once. Throws `userNotFound`, and refusals of the change.
 */
export const askAccessChange = (
  { db, keys }: OnRecord,
  { by, ...change }: AskedChange & { readonly by: Caller },
): Promise<Asked> =>
  endingSessions(db, async (transaction) => {
    const { userId, kind, reason } = change
    const role = 'role' in change ? change.role : null
    await holdUser(transaction, userId)
    await requireSession(transaction, by)
    if (await isNeedless(transaction, { userId, kind, role })) throw refusal('accessChangeNeedless')
    if (kind === 'GRANT' && role) await requireFitting(transaction, { userId, role })
    const isAlone = !(await hasOtherSuperAdmin(transaction, by.id))
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
    const actor = { ...by, session: undefined }
    await record(transaction, keys, {
      by: actor,
      action: 'access.asked',
      subject: { type: 'user', id: userId },
      ownerId: userId,
      after: { kind, ...(role && { role }), ...(isAlone && { alone: true }) },
      reason,
    })
    if (isAlone) await applyChange(transaction, keys, { userId, kind, role, by: actor })
    return { id, isInForce: isAlone }
  })
