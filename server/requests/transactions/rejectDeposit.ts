import type { OnLedger } from '../../http/context.ts'
import { type DecisionRequest, findDecidable, postDecision } from './decision.ts'

/**
 * PENDING → REJECTED: nothing was credited. Throws what {@link findDecidable} and
 * {@link postDecision} throw.
 */
export const rejectDeposit = async (
  { db, keys, ledger }: OnLedger,
  { reason, ...request }: DecisionRequest & { readonly reason: string },
) => {
  const deposit = await findDecidable(db, request, 'deposit')
  await postDecision({ keys, ledger }, request, deposit, { movement: 'deposit_rejected', reason })
  return { transactionId: deposit.id, status: 'REJECTED' as const, reason }
}
