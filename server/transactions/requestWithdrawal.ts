import type { Cents } from '@pool/contract/money'
import { refusal } from '@pool/contract/refusals'
import { DEFAULT_DESTINATION, destinationOf } from '@pool/contract/transactions'
import { networksOf, requireAddress } from '../chains/addresses.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Asker, Idempotency } from '../ledger/operation.ts'

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
 * Holds the amount and writes a PENDING withdrawal. Throws `insufficientFunds`, `ambiguousAddress`
 * and what {@link requireAddress} throws.
 */
export const requestWithdrawal = async (
  { config, ledger }: Pick<Context, 'config' | 'ledger'>,
  request: WithdrawalRequest,
) => {
  const { by, amount, description = '', idempotency } = request
  const destinationAddress = destinationOf(request)
  const destinationNetwork = networkOf(destinationAddress, request.networkName, config.poolMode)
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
  })
  return { transactionId: posted.id, destinationAddress }
}

/** A named network must fit the address. Live mode demands one where several fit. */
const networkOf = (
  address: string,
  networkName: string | undefined,
  mode: Config['poolMode'],
): string => {
  // The saved payout address names its own network.
  if (address === DEFAULT_DESTINATION) return ''
  if (networkName)
    return requireAddress({ address, networkName, mode, field: 'destinationAddress' })
  const fitting = mode === 'live' ? networksOf(address, mode) : []
  if (fitting.length > 1)
    throw refusal('ambiguousAddress', { networks: fitting, field: 'networkName' })
  return ''
}
