import type { Payload } from '@pool/contract/base/endpoint'
import { refusal } from '@pool/contract/base/refusals'
import type { recordBorrower as call } from '@pool/contract/lending/borrowers'
import type { Kysely } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'

/**
 * The account of a borrower, or null. Throws `userNotFound` for one that does not exist, and
 * `relatedUnnamed` for a borrower of the staff without one.
 */
export const accountOf = async (
  db: Kysely<Schema>,
  { relation, userEmail }: Pick<Payload<typeof call>, 'relation' | 'userEmail'>,
): Promise<string | null> => {
  if (userEmail === undefined) {
    if (relation === 'staff') throw refusal('relatedUnnamed')
    return null
  }
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('username', '=', userEmail)
    .executeTakeFirst()
  if (!user) throw refusal('userNotFound')
  return user.id
}

/**
 * Records a borrower (docs/product.md 5.26). Throws as {@link accountOf} does.
 */
export const recordBorrower = (
  { db, keys }: OnRecord,
  by: Caller,
  { name, country, kind, relation, userEmail, grade, gradeReason }: Payload<typeof call>,
): Promise<{ readonly id: string }> =>
  db.transaction().execute(async (transaction) => {
    const userId = await accountOf(transaction, { relation, userEmail })
    const id = newId()
    await transaction
      .insertInto('borrowers')
      .values({
        id,
        name,
        country,
        kind,
        relation,
        grade,
        grade_reason: gradeReason,
        user_id: userId,
        recorded_by: by.id,
      })
      .execute()
    await record(transaction, keys, {
      by,
      action: 'borrower.recorded',
      subject: { type: 'borrower', id },
      after: { name, country, kind, relation, grade, ...(userId && { userId, userEmail }) },
      reason: gradeReason,
    })
    return { id }
  })
