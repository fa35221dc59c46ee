import type { Cents } from '@pool/contract/money'
import { newId } from '../db/ids.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Asker, Idempotency, WalletPace } from '../ledger/operation.ts'

export type DepositRequest = {
  readonly by: Asker
  readonly amount: Cents
  readonly description?: string | undefined
  readonly idempotency?: Idempotency | undefined
  /** The limits on new wallets for this caller. */
  readonly walletPace?: WalletPace | undefined
}

/**
 * Writes a PENDING deposit. Returns the investor's wallet, which a first deposit assigns for good.
 * Throws `tooManyOpenDeposits`, `noWalletAvailable`, `tooManyNewWallets` or `walletsInDemand`.
 */
export const requestDeposit = async (
  ledger: Ledger,
  { by, amount, description = '', idempotency, walletPace }: DepositRequest,
) => {
  const id = newId()
  const posted = await ledger.post({
    movement: 'deposit_requested',
    by,
    idempotency,
    id,
    amount,
    description,
    walletPace,
  })
  return {
    transactionId: posted.id,
    address: posted.address ?? '',
    networkName: posted.networkName ?? '',
  }
}
