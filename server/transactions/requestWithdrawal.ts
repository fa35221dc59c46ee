import type { Cents } from '@pool/contract/money'
import { refusal } from '@pool/contract/refusals'
import { DEFAULT_DESTINATION, destinationOf } from '@pool/contract/requests'
import { networksOf, requireAddress } from '../chains/networks.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Asker, Idempotency } from '../ledger/movement.ts'
import { findPayoutAddress } from '../payoutAddresses/payoutAddress.ts'
import { refusePoolWallet } from '../payoutAddresses/poolWallets.ts'

export type WithdrawalRequest = {
  readonly by: Asker
  readonly amount: Cents
  readonly destinationAddress?: string | undefined
  /** The network that the investor names for the destination. */
  readonly networkName?: string | undefined
  readonly description?: string | undefined
  readonly idempotency?: Idempotency | undefined
}

/**
 * Holds the amount and writes a PENDING withdrawal. Throws `insufficientFunds`, `poolWallet`, what
 * {@link requireAddress} throws, in live mode `emailUnconfirmed` and those of {@link networkOf}.
 */
export const requestWithdrawal = async (
  { config, db, ledger }: Pick<Context, 'config' | 'db' | 'ledger'>,
  request: WithdrawalRequest,
) => {
  const { by, amount, description = '', idempotency } = request
  const destinationAddress = destinationOf(request)
  const destinationNetwork = networkOf(destinationAddress, request.networkName, config.poolMode)
  if (destinationAddress === DEFAULT_DESTINATION) {
    if (config.poolMode === 'live') await requirePayoutAddress(db, by.id)
  } else if (networksOf(destinationAddress, config.poolMode).length > 0)
    await refusePoolWallet(db, destinationAddress, FIELD)
  const id = newId()
  const posted = await ledger.post({
    movement: 'withdrawal_held',
    by,
    idempotency,
    id,
    amount,
    description,
    destinationAddress,
    destinationNetwork,
    needsConfirmedEmail: config.poolMode === 'live',
  })
  return { transactionId: posted.id, destinationAddress }
}

const FIELD = 'destinationAddress'

/** Throws `noPayoutAddress` for an investor without a payout address, in use or waiting. */
const requirePayoutAddress = async (db: Context['db'], userId: string): Promise<void> => {
  const { current, next } = await findPayoutAddress(db, userId)
  if (!current && !next) throw refusal('noPayoutAddress', { field: FIELD })
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
