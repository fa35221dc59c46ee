import { refusal } from '@pool/contract/base/refusals'
import { CANCELLED } from '@pool/contract/requests/requests'
import type { OnLedger } from '../../http/context.ts'
import { type DecisionRequest, type Ending, findRequest, postDecision } from './decision.ts'

const movements: Readonly<Record<string, Ending['movement']>> = {
  deposit: 'deposit_rejected',
  withdrawal: 'withdrawal_released',
}

/**
 * PENDING → REJECTED by its investor. Throws `transactionNotFound`, also for other people's,
 * `depositArrived` for one that the product opened, and what {@link postDecision} throws.
 */
export const cancelRequest = async (
  { db, keys, ledger }: OnLedger,
  { transactionId, ...request }: DecisionRequest,
) => {
  const found = await findRequest(db, transactionId)
  if (found.ownerId !== request.by.id) throw refusal('transactionNotFound')
  if (found.unannounced) throw refusal('depositArrived')
  const movement = movements[found.type]
  if (!movement) throw refusal('alreadyDecided', { status: 'COMPLETED' })
  const decision = { movement, reason: CANCELLED, cancels: true } as const
  await postDecision({ keys, ledger }, { transactionId, ...request }, found, decision)
  return { transactionId, status: 'REJECTED' as const, reason: CANCELLED }
}
