import { type Cents, cents } from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import { DEFAULT_DESTINATION, destinationOf } from '@pool/contract/requests/requests'
import { networksOf, requireAddress } from '../../base/chains/networks.ts'
import type { Config } from '../../base/configuration/config.ts'
import { newId } from '../../base/db/ids.ts'
import type { WithConfig, WithDb, WithLedger } from '../../http/context.ts'
import type { Asker, Idempotency } from '../../ledger/families/movement.ts'
import { findPayoutAddress } from '../../money/payoutAddresses/payoutAddress.ts'
import { refusePoolWallet } from '../../money/payoutAddresses/poolWallets.ts'

export type WithdrawalRequest = {
  readonly by: Asker
  /** The cents that leave the balance, with the share of the network's fee. */
  readonly amount: Cents
  /** The share of the network's fee that the investor was shown. */
  readonly fee?: Cents | undefined
  readonly destinationAddress?: string | undefined
  /** The network that the investor names for the destination. */
  readonly networkName?: string | undefined
  readonly description?: string | undefined
  readonly idempotency?: Idempotency | undefined
}

/**
 * Holds the amount and writes a PENDING withdrawal. Throws `insufficientFunds`, `poolWallet`,
 * refusals of `contract/chain/feeRefusals.ts`, and in live mode those of addresses and emails.
 */
export const requestWithdrawal = async (
  { config, db, ledger }: WithDb & WithLedger & WithConfig,
  request: WithdrawalRequest,
) => {
  const { by, amount, fee = cents(0n), description = '', idempotency } = request
  const destinationAddress = destinationOf(request)
  const destinationNetwork = networkOf(destinationAddress, request.networkName, config.poolMode)
  let payee: string | undefined = destinationAddress
  if (destinationAddress === DEFAULT_DESTINATION) {
    // Without nodes there are no estimates, and a sandbox needs no address.
    const isNeeded = config.poolMode === 'live'
    payee = isNeeded || config.chains.length > 0 ? await savedAddress(db, by.id) : undefined
    if (isNeeded && payee === undefined) throw refusal('noPayoutAddress', { field: FIELD })
  } else if (networksOf(destinationAddress, config.poolMode).length > 0)
    await refusePoolWallet(db, destinationAddress, FIELD)
  const paidOn = payingNetwork(payee ?? '', destinationNetwork, config.poolMode)
  const id = newId()
  const sent = cents(amount - fee)
  const posted = await ledger.post({
    movement: 'withdrawal_held',
    by,
    idempotency,
    id,
    amount: sent,
    fee,
    paidOn,
    description,
    destinationAddress,
    destinationNetwork,
    needsConfirmedEmail: config.poolMode === 'live',
  })
  return { transactionId: posted.id, destinationAddress, sent }
}

const FIELD = 'destinationAddress'

/** The payout address in use, or the one that waits. Undefined without one. */
const savedAddress = async (db: WithDb['db'], userId: string): Promise<string | undefined> => {
  const { current, next } = await findPayoutAddress(db, userId)
  return (current ?? next)?.address
}

/** The network that a batch would pay on (`candidates.ts`). Undefined where it is none, or open. */
const payingNetwork = (
  address: string,
  named: string,
  mode: Config['poolMode'],
): NetworkName | undefined => {
  const fitting = networksOf(address, mode)
  return named === '' && fitting.length === 1
    ? fitting[0]
    : fitting.find((network) => network === named)
}

/**
 * A named network must fit the address. Live mode demands an address, and a network where several
 * fit.
 */
const networkOf = (
  address: string,
  networkName: string | undefined,
  mode: Config['poolMode'],
): string => {
  // The saved payout address names its own network.
  if (address === DEFAULT_DESTINATION) return ''
  if (networkName) return requireAddress({ address, networkName, mode, field: FIELD })
  const fitting = networksOf(address, mode)
  if (mode === 'sandbox') return fitting.length === 1 ? (fitting[0] ?? '') : ''
  if (fitting.length === 0) throw refusal('unpayableDestination', { field: FIELD })
  if (fitting.length > 1)
    throw refusal('ambiguousAddress', { networks: fitting, field: 'networkName' })
  return fitting[0] ?? ''
}
