import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { requireUnbooked } from '../../ledger/engine/within.ts'
import { readLoan } from './terms.ts'

type Recovery = Pick<PayloadOf<'RECOVER_LOAN'>, 'loanId' | 'amount' | 'valueOn' | 'reference'>

/**
 * Refuses a recovery that the ledger would refuse (docs/product.md 5.28). Throws `loanNotFound`,
 * `loanIs`, `recoveredWhen`, `referenceUsed`, `transactionBooked` and `recoveredTooMuch`.
 */
export const requireRecoverable = async (
  db: Kysely<Schema>,
  { loanId, amount, valueOn, reference }: Recovery,
): Promise<void> => {
  const { status } = await readLoan(db, loanId)
  if (status !== 'WRITTEN_OFF') throw refusal('loanIs', { status })
  const { rows } = await sql<{ left: bigint; isInTime: boolean; isUsed: boolean }>`
    SELECT l.written_off - l.recovered AS left,
      ${valueOn}::date BETWEEN d.defaulted_on AND (now() AT TIME ZONE 'UTC')::date AS "isInTime",
      EXISTS (SELECT FROM loan_repayments WHERE lower(reference) = lower(${reference}) AND NOT reversed) AS "isUsed"
    FROM loans AS l JOIN loan_defaults AS d ON d.loan_id = l.id WHERE l.id = ${loanId}`.execute(db)
  const { left = 0n, isInTime, isUsed } = rows[0] ?? {}
  if (!isInTime) throw refusal('recoveredWhen')
  if (isUsed) throw refusal('referenceUsed')
  await requireUnbooked(db, { movement: 'loan_recovered', id: loanId, reference })
  if (centsFromDollars(amount) > left)
    throw refusal('recoveredTooMuch', { most: dollarsFromCents(cents(left)) })
}
