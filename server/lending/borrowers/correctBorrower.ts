import type { Payload } from '@pool/contract/base/endpoint'
import { refusal } from '@pool/contract/base/refusals'
import type { correctBorrower as call } from '@pool/contract/lending/borrowers'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { isSamePerson } from '../../base/sessions/samePerson.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { accountOf } from './recordBorrower.ts'

type Correction = {
  readonly id: string
  readonly by: Caller
  readonly payload: Payload<typeof call>
}

/**
 * Corrects a borrower (docs/product.md 5.31). Throws `borrowerNotFound`, `accountStays`,
 * `relationStays`, `ownLoan` to the owner of the old or new account, and as {@link accountOf} does.
 */
export const correctBorrower = (
  { db, keys }: OnRecord,
  { id, by, payload: { reason, ...typed } }: Correction,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('borrowers')
      .leftJoin('users', 'users.id', 'borrowers.user_id')
      .selectAll('borrowers')
      .select('users.username')
      .where('borrowers.id', '=', id)
      .forUpdate('borrowers')
      .executeTakeFirst()
    if (!before) throw refusal('borrowerNotFound')
    const { userEmail, gradeReason, name, country, kind, relation, grade } = typed
    const userId = await accountOf(transaction, typed)
    for (const owner of [before.user_id, userId])
      if (await isSamePerson(transaction, owner, by.id)) throw refusal('ownLoan')
    await requireChangeable(transaction, before, { id, userId, relation })
    const isGraded = grade !== before.grade || gradeReason !== before.grade_reason
    await transaction
      .updateTable('borrowers')
      .set({
        name,
        country,
        kind,
        relation,
        grade,
        grade_reason: gradeReason,
        user_id: userId,
        ...(isGraded && { graded_at: sql<Date>`now()`, graded_by: by.id }),
      })
      .where('id', '=', id)
      .execute()
    await record(transaction, keys, {
      by,
      action: 'borrower.corrected',
      subject: { type: 'borrower', id },
      before: {
        name: before.name,
        country: before.country,
        kind: before.kind,
        relation: before.relation,
        grade: before.grade,
        gradeReason: before.grade_reason,
        ...(before.user_id && { userId: before.user_id, userEmail: before.username }),
      },
      after: {
        name,
        country,
        kind,
        relation,
        grade,
        gradeReason,
        ...(userId && { userId, userEmail }),
      },
      reason,
    })
  })

/**
 * With a loan, a borrower keeps its account and its relation: another account would give its owner
 * a vote about the loan. Throws `accountStays` and `relationStays`.
 */
const requireChangeable = async (
  transaction: Kysely<Schema>,
  before: { readonly user_id: string | null; readonly relation: string },
  { id, userId, relation }: BorrowerLinks,
): Promise<void> => {
  const changesAccount = before.user_id !== null && userId !== before.user_id
  const changesParty = before.relation !== 'none' && relation === 'none'
  if (!changesAccount && !changesParty) return
  const loans = transaction.selectFrom('loans').select('id').where('borrower_id', '=', id)
  if (await loans.limit(1).executeTakeFirst())
    throw refusal(changesAccount ? 'accountStays' : 'relationStays')
}

type BorrowerLinks = {
  readonly id: string
  readonly userId: string | null
  readonly relation: string
}
