import type { Cents } from '@pool/contract/money'
import { refusal } from '@pool/contract/refusals'
import { canonicalEvidence } from '../chains/evidence.ts'
import type { Context } from '../context.ts'
import { type DecisionRequest, findDecidable, postDecision } from './decision.ts'

type Confirmation = DecisionRequest & {
  readonly evidence?: string | undefined
  /** The cents that came, if they differ from what was asked. */
  readonly receivedAmount?: Cents | undefined
}

/**
 * PENDING → APPROVED: the investor can spend the amount received. Throws `evidenceRequired`,
 * `evidenceInvalid`, and what {@link findDecidable} and {@link postDecision} throw.
 */
export const confirmDeposit = async (
  { config, db, keys, ledger }: Pick<Context, 'config' | 'db' | 'keys' | 'ledger'>,
  { evidence = '', receivedAmount, ...request }: Confirmation,
) => {
  const deposit = await findDecidable(db, request, 'deposit')
  const id = evidence === '' ? undefined : canonicalEvidence(deposit.networkName, evidence)
  if (evidence === '' && deposit.evidence === null && config.poolMode === 'live')
    throw refusal('evidenceRequired')
  if (evidence !== '' && id === undefined) throw refusal('evidenceInvalid')
  const requestedAmount = deposit.amount
  const received = { ...deposit, amount: receivedAmount ?? requestedAmount, requestedAmount }
  const { missing } = await postDecision({ keys, ledger }, request, received, {
    movement: 'deposit_confirmed',
    evidence: id === undefined ? undefined : { network: deposit.networkName, id },
  })
  return {
    transactionId: deposit.id,
    status: missing ? ('PENDING' as const) : ('APPROVED' as const),
    reason: '',
  }
}
