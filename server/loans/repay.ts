import type { LoanStatus } from '@pool/contract/loans'
import { type Cents, cents, dollarsFromCents } from '@pool/contract/money'
import { sql } from 'kysely'
import { signEntry } from '../audit/entry.ts'
import type { Context } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Idempotency } from '../ledger/movement.ts'
import type { Caller } from '../sessions/actor.ts'

type Repayment = {
  readonly loanId: string
  readonly amount: Cents
  /** The day on which it arrived, as ISO text. */
  readonly valueOn: string
  readonly reference: string
  /** True for the payment that ends the loan. */
  readonly inFull?: boolean | undefined
  readonly by: Caller
  readonly idempotency?: Idempotency | undefined
}

/**
 * Records a repayment, split over the instalments (docs/product.md 5.26). Throws `loanNotFound`,
 * `loanIs`, `ownLoan`, `repaidWhen`, `repaidTooMuch`, `payoffIs`, `payoffWhen` and `referenceUsed`.
 */
export const repayLoan = async (
  { db, keys, ledger }: Pick<Context, 'db' | 'keys' | 'ledger'>,
  { loanId, amount, valueOn, reference, inFull, by, idempotency }: Repayment,
) => {
  const id = newId()
  const posted = await ledger.post({
    ...{ movement: 'loan_repaid', id, loanId, amount, valueOn, reference, by },
    ...{ inFull, idempotency },
    entry: signEntry(keys, {
      by,
      action: 'loan.repaid',
      subject: { type: 'loan', id: loanId },
      after: {
        ...{ repayment: id, amount: dollarsFromCents(amount), valueOn, reference },
        ...(inFull && { inFull }),
      },
    }),
  })
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
