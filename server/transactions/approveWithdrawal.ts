import { refusal } from '@pool/contract/refusals'
import type { Context } from '../context.ts'
import { withdrawalPaid } from '../ledger/movements.ts'
import { type DecisionRequest, findDecidable } from './decision.ts'

/**
 * PENDING → APPROVED, and the held amount leaves the pool. `userId` is the owner that the admin saw (threat 13).
 * Throws `ownerMismatch`, `alreadyDecided` and what {@link findDecidable} throws.
 */
export const approveWithdrawal = async (
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { userId, ...request }: DecisionRequest & { readonly userId: string },
) => {
  const withdrawal = await findDecidable(db, request, 'withdrawal')
  if (withdrawal.ownerId !== userId) throw refusal('ownerMismatch')
  await ledger.post({
    movement: withdrawalPaid(withdrawal.amount),
    referenceId: withdrawal.id,
    ownerId: withdrawal.ownerId,
    repeatable: request.repeatable,
    decision: { transactionId: withdrawal.id, status: 'APPROVED', decidedBy: request.decidedBy },
  })
  return { transactionId: withdrawal.id, status: 'APPROVED' as const, reason: '' }
}
