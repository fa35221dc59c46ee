import type { Cents } from '@pool/contract/money'
import { requireNetwork } from '../chains/networks.ts'
import { newId } from '../db/ids.ts'
import type { WalletPace } from '../ledger/deposits.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Asker, Idempotency } from '../ledger/movement.ts'

export type DepositRequest = {
  readonly by: Asker
  readonly amount: Cents
  readonly description?: string | undefined
  /** The network that the investor chooses. Undefined takes the one used last, else any. */
  readonly networkName?: string | undefined
  readonly idempotency?: Idempotency | undefined
  /** The limits on new wallets for this caller. */
  readonly walletPace?: WalletPace | undefined
}

/**
 * Writes a PENDING deposit. Returns the investor's wallet, given for good by the first deposit on a
 * network. Throws `unknownNetwork`, and the refusals of `assign_wallets`.
 */
export const requestDeposit = async (
  ledger: Ledger,
  { by, amount, description = '', networkName, idempotency, walletPace }: DepositRequest,
) => {
  const id = newId()
  const posted = await ledger.post({
    movement: 'deposit_requested',
    by,
    idempotency,
    id,
    amount,
    description,
    networkName: networkName === undefined ? undefined : requireNetwork(networkName),
    walletPace,
  })
  return {
    transactionId: posted.id,
    address: posted.address ?? '',
    networkName: posted.networkName ?? '',
  }
}
