import type { recordBorrower as call } from '@pool/contract/borrowers'
import type { Payload } from '@pool/contract/endpoint'
import { refusal } from '@pool/contract/refusals'
import { type OnRecord, record } from '../audit/record.ts'
import { newId } from '../db/ids.ts'
import type { Caller } from '../sessions/actor.ts'

/**
 * Records a borrower. Throws `userNotFound` for an account that does not exist, and
 * `relatedUnnamed` for one of the staff without an account.
 */
export const recordBorrower = (
  { db, keys }: OnRecord,
  by: Caller,
  { name, country, kind, relation, userEmail, grade, gradeReason }: Payload<typeof call>,
): Promise<{ readonly id: string }> =>
  db.transaction().execute(async (transaction) => {
    const user =
      userEmail === undefined
        ? undefined
        : await transaction
            .selectFrom('users')
            .select('id')
            .where('username', '=', userEmail)
            .executeTakeFirst()
    if (userEmail !== undefined && !user) throw refusal('userNotFound')
    if (relation === 'staff' && !user) throw refusal('relatedUnnamed')
    const id = newId()
    await transaction
      .insertInto('borrowers')
      .values({
        ...{ id, name, country, kind, relation, grade },
        ...{ grade_reason: gradeReason, user_id: user?.id ?? null, recorded_by: by.id },
      })
      .execute()
    await record(transaction, keys, {
      by,
      action: 'borrower.recorded',
      subject: { type: 'borrower', id },
      after: { name, country, kind, relation, grade, ...(userEmail && { userEmail }) },
      reason: gradeReason,
    })
    return { id }
  })
