import { refusal } from '@pool/contract/base/refusals'
import { orderOnRecord } from '@pool/contract/coins/withdrawalOrder'
import type { OnLedger, WithConfig } from '../../http/context.ts'
import { type DecisionRequest, findDecidable, postDecision } from './decision.ts'
import { requirePayee } from './destination.ts'
import { countPassedOver } from './order.ts'

/**
 * PENDING → APPROVED: the held amount waits in `outgoing` to be paid. Throws `ownerMismatch`,
 * `payeeNotShown`, and as {@link findDecidable}, {@link requirePayee} and {@link postDecision} do.
 */
export const approveWithdrawal = async (
  { config, db, keys, ledger }: OnLedger & WithConfig,
  {
    userId,
    payeeAddress,
    outOfOrderReason,
    ...request
  }: DecisionRequest & {
    readonly userId: string
    readonly payeeAddress?: string | undefined
    readonly outOfOrderReason?: string | undefined
  },
) => {
  const withdrawal = await findDecidable(db, request, 'withdrawal')
  if (withdrawal.ownerId !== userId) throw refusal('ownerMismatch')
  if (config.poolMode === 'live' && payeeAddress === undefined) throw refusal('payeeNotShown')
  await requirePayee(db, withdrawal.id, config.poolMode)
  const passedOver = await countPassedOver(db, config, {
    taking: 'approve',
    ids: [withdrawal.id],
    by: request.by.id,
  })
  const order = orderOnRecord(passedOver, outOfOrderReason)
  const { missing } = await postDecision({ keys, ledger }, { ...request, order }, withdrawal, {
    movement: 'withdrawal_approved',
    payeeAddress,
  })
  return {
    transactionId: withdrawal.id,
    status: missing ? ('PENDING' as const) : ('APPROVED' as const),
    reason: '',
  }
}
