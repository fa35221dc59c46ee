/** Collateral and updates of loans (docs/product.md 5.35). */
import type { Payload } from '@pool/contract/base/endpoint'
import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import type { addCollateral as addCall } from '@pool/contract/lending/loanRecords'
import type { LoanStory } from '@pool/contract/lending/loans'
import { type Kysely, sql } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { requireOthers, type Withdrawal } from '../borrowers/documents.ts'

type Collateral = LoanStory['collateral'][number]
type CollateralRow = Omit<Collateral, 'at' | 'value' | keyof Withdrawal> &
  Withdrawal & { readonly at: Date; readonly value: bigint }

/** The collateral of a loan, the oldest first, also withdrawn ones. */
export const readCollateral = async (db: Kysely<Schema>, loanId: string): Promise<Collateral[]> => {
  const { rows } = await sql<CollateralRow>`
    SELECT c.id, c.description, c.value, c.valued_on::text AS "valuedOn", r.username AS "recordedBy", c.created_at AS at,
      c.withdrawn_for AS "withdrawnFor", w.username AS "withdrawnBy", c.withdrawn_at AS "withdrawnAt"
    FROM loan_collateral AS c JOIN users AS r ON r.id = c.recorded_by LEFT JOIN users AS w ON w.id = c.withdrawn_by
    WHERE c.loan_id = ${loanId} ORDER BY c.created_at, c.id`.execute(db)
  return rows.map(({ at, value, withdrawnAt, ...row }) => ({
    ...row,
    value: dollarsFromCents(cents(value)),
    at: timestampFromDate(at),
    withdrawnAt: withdrawnAt && timestampFromDate(withdrawnAt),
  }))
}

/** The updates of a loan, the oldest first. */
export const readUpdates = async (
  db: Kysely<Schema>,
  loanId: string,
): Promise<LoanStory['updates']> => {
  type Update = Omit<LoanStory['updates'][number], 'at'> & { readonly at: Date }
  const { rows } = await sql<Update>`
    SELECT n.id, n.text, u.username AS by, n.created_at AS at FROM loan_updates AS n JOIN users AS u ON u.id = n.written_by
    WHERE n.loan_id = ${loanId} ORDER BY n.created_at, n.id`.execute(db)
  return rows.map(({ at, ...row }) => ({ ...row, at: timestampFromDate(at) }))
}

type OfLoan = { readonly loanId: string; readonly by: Caller }

/** The columns of `loan_collateral` and the facts of its entry. */
export const collateralOf = ({ description, value, valuedOn }: Payload<typeof addCall>) => ({
  row: { description, value: centsFromDollars(value), valued_on: sql<Date>`${valuedOn}::date` },
  fact: { description, value, valuedOn },
})

/** Adds collateral of a loan. Throws `loanNotFound`, and `ownLoan` to its borrower. */
export const addCollateral = (
  { db, keys }: OnRecord,
  { loanId, by, payload }: OfLoan & { readonly payload: Payload<typeof addCall> },
): Promise<{ readonly id: string }> =>
  db.transaction().execute(async (transaction) => {
    await requireOthers(transaction, { type: 'loan', id: loanId }, by)
    const id = newId()
    const { row, fact } = collateralOf(payload)
    await transaction
      .insertInto('loan_collateral')
      .values({ id, loan_id: loanId, recorded_by: by.id, ...row })
      .execute()
    await record(transaction, keys, {
      by,
      action: 'loan.collateralAdded',
      subject: { type: 'loan', id: loanId },
      after: { collateral: id, ...fact },
    })
    return { id }
  })

type Withdrawing = { readonly id: string; readonly reason: string; readonly by: Caller }

/**
 * Marks collateral as withdrawn. Throws `collateralNotFound`, `recordWithdrawn`, and `ownLoan` to
 * the borrower.
 */
export const withdrawCollateral = (
  { db, keys }: OnRecord,
  { id, reason, by }: Withdrawing,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{
      loanId: string
      description: string
      value: bigint
      valuedOn: string
      isWithdrawn: boolean
    }>`
      SELECT loan_id AS "loanId", description, value, valued_on::text AS "valuedOn", withdrawn_at IS NOT NULL AS "isWithdrawn"
      FROM loan_collateral WHERE id = ${id} FOR UPDATE`.execute(transaction)
    const [found] = rows
    if (!found) throw refusal('collateralNotFound')
    const { loanId, description, value, valuedOn, isWithdrawn } = found
    await requireOthers(transaction, { type: 'loan', id: loanId }, by)
    if (isWithdrawn) throw refusal('recordWithdrawn')
    await transaction
      .updateTable('loan_collateral')
      .set({ withdrawn_for: reason, withdrawn_by: by.id, withdrawn_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    await record(transaction, keys, {
      by,
      action: 'loan.collateralWithdrawn',
      subject: { type: 'loan', id: loanId },
      before: { collateral: id, description, value: dollarsFromCents(cents(value)), valuedOn },
      reason,
    })
  })

/** Writes an update of a loan. Throws `loanNotFound`, and `ownLoan` to its borrower. */
export const writeUpdate = (
  { db, keys }: OnRecord,
  { loanId, by, text }: OfLoan & { readonly text: string },
): Promise<{ readonly id: string }> =>
  db.transaction().execute(async (transaction) => {
    await requireOthers(transaction, { type: 'loan', id: loanId }, by)
    const id = newId()
    await transaction
      .insertInto('loan_updates')
      .values({ id, loan_id: loanId, text, written_by: by.id })
      .execute()
    await record(transaction, keys, {
      by,
      action: 'loan.updated',
      subject: { type: 'loan', id: loanId },
      after: { update: id, text },
    })
    return { id }
  })
