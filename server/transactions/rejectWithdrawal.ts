import { Refusal } from '@pool/contract/refusals'
import type { Context } from '../context.ts'
import { withdrawalReleased } from '../ledger/movements.ts'
import { type DecisionRequest, findDecidable } from './decision.ts'

/**
 * PENDING → REJECTED with its reason, and the held amount can be spent again. What the same admin rejected for the same reason before
 * answers success: clients try three paths in turn (spec §7). Throws `alreadyDecided` and what {@link findDecidable} throws.
 */
export const rejectWithdrawal = async (
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { reason, ...request }: DecisionRequest & { readonly reason: string },
) => {
  const withdrawal = await findDecidable(db, request, 'withdrawal')
  try {
    await ledger.post({
      movement: withdrawalReleased(withdrawal.amount),
      referenceId: withdrawal.id,
      ownerId: withdrawal.ownerId,
      repeatable: request.repeatable,
      decision: { transactionId: withdrawal.id, status: 'REJECTED', decidedBy: request.decidedBy, reason },
    })
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'alreadyDecided')) throw error
    const same = await db
      .selectFrom('transactions')
      .select('id')
      .where('id', '=', withdrawal.id)
      .where('status', '=', 'REJECTED')
      .where('decided_by', '=', request.decidedBy)
      .where('reason', '=', reason)
      .executeTakeFirst()
    if (!same) throw error
  }
  return { transactionId: withdrawal.id, status: 'REJECTED' as const, reason }
}
