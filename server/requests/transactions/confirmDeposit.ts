import type { Cents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { canonicalEvidence } from '../../base/chains/networks.ts'
import type { OnLedger, WithConfig } from '../../http/context.ts'
import { SYSTEM } from '../../records/audit/record.ts'
import {
  type DecisionRequest,
  entryOf,
  findDecidable,
  findRequest,
  postDecision,
} from './decision.ts'
import { requireShown } from './payments.ts'

type Confirmation = DecisionRequest & {
  readonly evidence?: string | undefined
  /** The cents that came, if they differ from what was asked. */
  readonly receivedAmount?: Cents | undefined
}

/**
 * PENDING → APPROVED: the investor can spend the amount received. Throws `evidenceRequired`,
 * `evidenceInvalid`, and what {@link findDecidable}, {@link requireShown}, {@link postDecision} do.
 */
export const confirmDeposit = async (
  { config, db, keys, ledger }: OnLedger & WithConfig,
  { evidence = '', receivedAmount, ...request }: Confirmation,
) => {
  const deposit = await findDecidable(db, request, 'deposit')
  const payment = evidence === '' ? undefined : canonicalEvidence(deposit.networkName, evidence)
  if (evidence === '' && deposit.evidence === null && config.poolMode === 'live')
    throw refusal('evidenceRequired')
  if (evidence !== '' && payment === undefined) throw refusal('evidenceInvalid')
  const requestedAmount = deposit.amount
  const received = { ...deposit, amount: receivedAmount ?? requestedAmount, requestedAmount }
  const named = payment ?? deposit.evidence
  if (named && config.poolMode === 'live')
    await requireShown({ config, db }, deposit, named, received.amount)
  const { missing } = await postDecision({ keys, ledger }, request, received, {
    movement: 'deposit_confirmed',
    evidence: payment && { network: deposit.networkName, ...payment },
  })
  return {
    transactionId: deposit.id,
    status: missing ? ('PENDING' as const) : ('APPROVED' as const),
    reason: '',
  }
}

type ShownPayment = {
  readonly transactionId: string
  /** The investor of the address that was paid, and its wallet. */
  readonly ownerId: string
  readonly walletId: string
  /** The transaction on the deposit's chain, with the output after a colon if it pays several. */
  readonly evidence: string
  /** The cents that came. */
  readonly receivedAmount: Cents
  /** The facts that the decision rests on, in words, kept on record. */
  readonly basis: string
}

/**
 * PENDING → APPROVED by the product, within the limits of a day. Throws `transactionNotFound`, also
 * for another investor's or address's, `notADeposit`, `evidenceInvalid`, `forbidden` above a limit.
 */
export const confirmByProduct = async (
  { db, keys, ledger }: OnLedger,
  { transactionId, evidence, receivedAmount: amount, basis, ...paid }: ShownPayment,
): Promise<void> => {
  const { type, ...deposit } = await findRequest(db, transactionId)
  if (type !== 'deposit') throw refusal('notADeposit')
  const { id, ownerId, networkName: network } = deposit
  // A row of the database could say anything: the coins are those of their address.
  if (ownerId !== paid.ownerId || deposit.walletId !== paid.walletId)
    throw refusal('transactionNotFound')
  const proof = canonicalEvidence(network, evidence)
  if (proof === undefined) throw refusal('evidenceInvalid')
  const decision = { movement: 'deposit_confirmed', evidence: { network, ...proof } } as const
  const received = { ...deposit, amount, requestedAmount: deposit.amount }
  const entry = entryOf(keys, { by: SYSTEM, reason: basis }, received, decision)
  await ledger.post({ ...decision, id, ownerId, amount, basis, entry })
}
