import { refusal } from '@pool/contract/refusals'
import type { Context } from '../context.ts'
import { withdrawalPaid } from '../ledger/movements.ts'
import { type DecisionRequest, findDecidable } from './decision.ts'
import { findPayee } from './payee.ts'

/**
 * PENDING → APPROVED, and the held amount leaves the pool. A large withdrawal stays PENDING until a second person approves it, too (threat 8).
 * `userId` is the owner that the admin saw (threat 13). In live mode it must be known where to pay to (threat 6). Throws `ownerMismatch`,
 * `destinationUnresolved`, `alreadyDecided`, `approvedAlready`, `forbidden` to whoever is no longer staff, and what {@link findDecidable} throws.
 */
export const approveWithdrawal = async (
  { config, db, ledger }: Pick<Context, 'config' | 'db' | 'ledger'>,
  { userId, ...request }: DecisionRequest & { readonly userId: string },
) => {
  const withdrawal = await findDecidable(db, request, 'withdrawal')
  if (withdrawal.ownerId !== userId) throw refusal('ownerMismatch')
  if (config.poolMode === 'live' && !(await findPayee(db, withdrawal.id, config.poolMode))) throw refusal('destinationUnresolved')
  const { missing } = await ledger.post({
    movement: withdrawalPaid(withdrawal.amount),
    referenceId: withdrawal.id,
    ownerId: withdrawal.ownerId,
    by: request.by,
    repeatable: request.repeatable,
    decision: { transactionId: withdrawal.id, status: 'APPROVED' },
  })
  return { transactionId: withdrawal.id, status: missing ? ('PENDING' as const) : ('APPROVED' as const), reason: '' }
}
