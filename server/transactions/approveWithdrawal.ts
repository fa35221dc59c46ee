import { refusal } from '@pool/contract/refusals'
import type { Context } from '../context.ts'
import { withdrawalPaid } from '../ledger/movements.ts'
import { type DecisionRequest, findDecidable } from './decision.ts'
import { requirePayee } from './payee.ts'

/**
 * PENDING → APPROVED, and the held amount leaves the pool. A large withdrawal stays PENDING until a second person approves it, too (threat 8).
 * `userId` is the owner that the admin saw (threat 13). Throws `ownerMismatch`,
 * `alreadyDecided`, `approvedAlready`, `forbidden` to whoever is no longer staff, and what {@link findDecidable} and {@link requirePayee} throw.
 */
export const approveWithdrawal = async (
  { config, db, ledger }: Pick<Context, 'config' | 'db' | 'ledger'>,
  { userId, ...request }: DecisionRequest & { readonly userId: string },
) => {
  const withdrawal = await findDecidable(db, request, 'withdrawal')
  if (withdrawal.ownerId !== userId) throw refusal('ownerMismatch')
  await requirePayee(db, withdrawal.id, config.poolMode)
  const { missing } = await ledger.post({
    movement: withdrawalPaid(withdrawal.amount),
    referenceId: withdrawal.id,
    ownerId: withdrawal.ownerId,
    repeatable: request.repeatable,
    decision: { transactionId: withdrawal.id, status: 'APPROVED', decidedBy: request.decidedBy, from: request.from },
  })
  return { transactionId: withdrawal.id, status: missing ? ('PENDING' as const) : ('APPROVED' as const), reason: '' }
}
