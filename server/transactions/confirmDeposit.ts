import { refusal } from '@pool/contract/refusals'
import { canonicalEvidence } from '../chains/evidence.ts'
import type { Context } from '../context.ts'
import { type DecisionRequest, findDecidable, postDecision } from './decision.ts'

/**
 * PENDING → APPROVED: the investor can spend the amount. Throws `evidenceRequired`,
 * `evidenceInvalid`, and what {@link findDecidable} and {@link postDecision} throw.
 */
export const confirmDeposit = async (
  { config, db, keys, ledger }: Pick<Context, 'config' | 'db' | 'keys' | 'ledger'>,
  { evidence = '', ...request }: DecisionRequest & { readonly evidence?: string | undefined },
) => {
  const deposit = await findDecidable(db, request, 'confirm')
  const id = evidence === '' ? undefined : canonicalEvidence(deposit.networkName, evidence)
  if (evidence === '' && deposit.evidence === null && config.poolMode === 'live')
    throw refusal('evidenceRequired')
  if (evidence !== '' && id === undefined) throw refusal('evidenceInvalid')
  const { missing } = await postDecision({ keys, ledger }, request, deposit, {
    movement: 'deposit_confirmed',
    evidence: id === undefined ? undefined : { network: deposit.networkName, id },
  })
  return {
    transactionId: deposit.id,
    status: missing ? ('PENDING' as const) : ('APPROVED' as const),
    reason: '',
  }
}
