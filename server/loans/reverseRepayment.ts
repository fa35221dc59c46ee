import { cents, dollarsFromCents } from '@pool/contract/money'
import { Refusal, refusal } from '@pool/contract/refusals'
import { signEntry } from '../audit/entry.ts'
import type { Context } from '../context.ts'
import { newId } from '../db/ids.ts'
import { poolBalance } from '../ledger/accounts.ts'
import type { Caller } from '../sessions/actor.ts'

type Reversal = { readonly repaymentId: string; readonly reason: string; readonly by: Caller }

/**
 * Takes a repayment back, once. Throws `repaymentNotFound`, `repaymentReversed`, `ownLoan`, and
 * `loanReserveShort` where the free reserve has promised it on.
 */
export const reverseRepayment = async (
  { db, keys, ledger }: Pick<Context, 'db' | 'keys' | 'ledger'>,
  { repaymentId, reason, by }: Reversal,
): Promise<void> => {
  const repayment = await db
    .selectFrom('loan_repayments')
    .select(['loan_id', 'principal', 'interest', 'recovered'])
    .where('id', '=', repaymentId)
    .executeTakeFirst()
  if (!repayment) throw refusal('repaymentNotFound')
  const { loan_id: loanId, principal, interest, recovered } = repayment
  const amount = dollarsFromCents(cents(principal + interest + recovered))
  const movement = recovered > 0n ? 'loan_recovery_reversed' : 'loan_repayment_reversed'
  try {
    await ledger.post({
      ...{ movement, id: newId(), loanId, repaymentId, reason, by },
      entry: signEntry(keys, {
        by,
        action: 'loan.repaymentReversed',
        subject: { type: 'loan', id: loanId },
        after: { repayment: repaymentId, amount },
        reason,
      }),
    })
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'reserveExhausted')) throw error
    throw refusal('loanReserveShort', { free: dollarsFromCents(await poolBalance(db, 'reserve')) })
  }
}
