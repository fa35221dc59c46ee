import type { Context } from '../context.ts'
import { depositConfirmed } from '../ledger/movements.ts'
import { type DecisionRequest, findDecidable } from './decision.ts'

/** PENDING → APPROVED, and the investor can spend the amount. Throws `alreadyDecided` and what {@link findDecidable} throws. */
export const confirmDeposit = async ({ db, ledger }: Pick<Context, 'db' | 'ledger'>, request: DecisionRequest) => {
  const deposit = await findDecidable(db, request, 'deposit')
  await ledger.post({
    movement: depositConfirmed(deposit.amount),
    referenceId: deposit.id,
    ownerId: deposit.ownerId,
    repeatable: request.repeatable,
    decision: { transactionId: deposit.id, status: 'APPROVED', decidedBy: request.decidedBy },
  })
  return { transactionId: deposit.id, status: 'APPROVED' as const, reason: '' }
}
