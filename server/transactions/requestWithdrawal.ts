import { DEFAULT_DESTINATION } from '@pool/contract/messages'
import type { Cents } from '@pool/contract/money'
import { requireAddress } from '../addresses.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { newId } from '../ids.ts'
import { withdrawalHeld } from '../ledger/movements.ts'
import type { Actor, Repeatable } from '../ledger/operation.ts'

export type WithdrawalRequest = {
  readonly by: Actor
  readonly amount: Cents
  readonly destinationAddress?: string | undefined
  /** The network that the destination is said to be on. */
  readonly network?: { readonly name: string; readonly mode: Config['poolMode'] } | undefined
  readonly description?: string | undefined
  readonly repeatable?: Repeatable | undefined
}

/**
 * Holds the amount at once and writes a PENDING withdrawal. Where a network is named, the destination must be one of its addresses. Throws
 * `insufficientFunds` and what {@link requireAddress} throws, and then nothing changed.
 */
export const requestWithdrawal = async ({ ledger }: Pick<Context, 'ledger'>, request: WithdrawalRequest) => {
  const { by, amount, description = '', repeatable } = request
  const destinationAddress = request.destinationAddress || description || DEFAULT_DESTINATION
  const destinationNetwork = networkOf(destinationAddress, request.network)
  const id = newId()
  const posted = await ledger.post({
    movement: withdrawalHeld(amount),
    referenceId: id,
    ownerId: by.id,
    by,
    repeatable,
    transaction: {
      id,
      type: 'withdrawal',
      amount,
      status: 'PENDING',
      description,
      destinationAddress,
      destinationNetwork,
    },
  })
  return { transactionId: posted.id, destinationAddress }
}

// The saved payout address is of a network of its own.
const networkOf = (address: string, network: WithdrawalRequest['network']): string =>
  !network || address === DEFAULT_DESTINATION
    ? ''
    : requireAddress({ address, networkName: network.name, mode: network.mode, field: 'destinationAddress' })
