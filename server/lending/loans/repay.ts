import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import type { LoanStatus } from '@pool/contract/lending/loans'
import { sql } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import type { OnLedger, WithKeys } from '../../http/context.ts'
import type { Idempotency } from '../../ledger/families/movement.ts'
import type { Operation } from '../../ledger/families/movements.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { SYSTEM } from '../../records/audit/record.ts'

type Repayment = {
  readonly loanId: string
  readonly amount: Cents
  /** The day on which it arrived, as ISO text. */
  readonly valueOn: string
  readonly reference: string
  /** True for the payment that ends the loan. */
  readonly inFull?: boolean | undefined
  /** The proposal that two people agreed on, where one person may not. */
  readonly agreedId?: string | undefined
  readonly by: Caller
  readonly idempotency?: Idempotency | undefined
}

/** The operation of a repayment. */
export const repaymentOf = (
  { keys }: WithKeys,
  id: string,
  { loanId, amount, valueOn, reference, inFull, agreedId, by, idempotency }: Repayment,
): Operation => ({
  movement: 'loan_repaid',
  id,
  loanId,
  amount,
  valueOn,
  reference,
  by,
  inFull,
  agreedId,
  idempotency,
  entry: signEntry(keys, {
    // The person who asked is on record with the proposal.
    by: agreedId === undefined ? by : SYSTEM,
    action: 'loan.repaid',
    subject: { type: 'loan', id: loanId },
    after: {
      repayment: id,
      amount: dollarsFromCents(amount),
      valueOn,
      reference,
      ...(inFull && { inFull }),
    },
  }),
})

/**
 * Records a repayment, split over the instalments (docs/product.md 5.26). Throws as the ledger
 * refuses it, with `takesTwo` above the limits of one person.
 */
export const repayLoan = async ({ db, keys, ledger }: OnLedger, repayment: Repayment) => {
  const posted = await ledger.post(repaymentOf({ keys }, newId(), repayment))
  const { rows } = await sql<{ principal: bigint; interest: bigint; status: LoanStatus }>`
    SELECT r.principal, r.interest, l.status FROM loan_repayments AS r JOIN loans AS l ON l.id = r.loan_id
    WHERE r.id = ${posted.id}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`the repayment ${posted.id} was posted and is not there`)
  return {
    repaymentId: posted.id,
    principal: dollarsFromCents(cents(row.principal)),
    interest: dollarsFromCents(cents(row.interest)),
    status: row.status,
  }
}
