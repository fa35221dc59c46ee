import { canonicalEvidence } from '@pool/contract/evidence'
import { refusal } from '@pool/contract/refusals'
import type { Context } from '../context.ts'
import { depositConfirmed } from '../ledger/movements.ts'
import { type DecisionRequest, findDecidable } from './decision.ts'

/**
 * PENDING → APPROVED, and the investor can spend the amount. `evidence` is the id of the transaction on the chain of the deposit's network: needed
 * in live mode, and good for one deposit only (threat 7). Throws `evidenceRequired`, `evidenceInvalid`, `evidenceUsed`, `alreadyDecided`,
 * `forbidden` to whoever is no longer staff, and what {@link findDecidable} throws.
 */
export const confirmDeposit = async (
  { config, db, ledger }: Pick<Context, 'config' | 'db' | 'ledger'>,
  { evidence = '', ...request }: DecisionRequest & { readonly evidence?: string | undefined },
) => {
  const deposit = await findDecidable(db, request, 'deposit')
  const id = evidence === '' ? undefined : canonicalEvidence(deposit.networkName, evidence)
  if (evidence === '' && config.poolMode === 'live') throw refusal('evidenceRequired')
  if (evidence !== '' && id === undefined) throw refusal('evidenceInvalid')
  await ledger.post({
    movement: depositConfirmed(deposit.amount),
    referenceId: deposit.id,
    ownerId: deposit.ownerId,
    by: request.by,
    repeatable: request.repeatable,
    decision: {
      transactionId: deposit.id,
      status: 'APPROVED',
      evidence: id === undefined ? undefined : { network: deposit.networkName, id },
    },
  })
  return { transactionId: deposit.id, status: 'APPROVED' as const, reason: '' }
}
