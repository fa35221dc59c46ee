import { type Cents, cents, dollarsFromCents } from '@pool/contract/money'
import { signEntry } from '../audit/entry.ts'
import type { Context } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Idempotency } from '../ledger/movement.ts'
import type { Caller } from '../sessions/actor.ts'

type Recovery = {
  readonly loanId: string
  readonly amount: Cents
  /** The day on which it arrived, as ISO text. */
  readonly valueOn: string
  readonly reference: string
  readonly by: Caller
  readonly idempotency?: Idempotency | undefined
}

/**
 * Records a recovery (docs/product.md 5.28), first for those who bore the loss (5.34). Throws
 * `loanNotFound`, `loanIs`, `ownLoan`, `recoveredWhen`, `recoveredTooMuch` and `referenceUsed`.
 */
export const recoverLoan = async (
  { db, keys, ledger }: Pick<Context, 'db' | 'keys' | 'ledger'>,
  { loanId, amount, valueOn, reference, by, idempotency }: Recovery,
) => {
  const id = newId()
  const recovered = dollarsFromCents(amount)
  const loan = await db
    .selectFrom('loans')
    .select('from_investors')
    .where('id', '=', loanId)
    .executeTakeFirst()
  const posted = await ledger.post({
    ...{ movement: 'loan_recovered', id, loanId, recovered: amount, valueOn, reference, by },
    fromInvestors: cents(loan?.from_investors ?? 0n),
    idempotency,
    entry: signEntry(keys, {
      by,
      action: 'loan.recovered',
      subject: { type: 'loan', id: loanId },
      after: { repayment: id, amount: recovered, valueOn, reference },
    }),
  })
  return { repaymentId: posted.id, recovered }
}
