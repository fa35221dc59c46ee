import type { Cents } from '@pool/contract/money'
import { newId } from '../db/ids.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Asker, Idempotency, WalletPace } from '../ledger/operation.ts'

export type DepositRequest = {
  readonly by: Asker
  readonly amount: Cents
  readonly description?: string | undefined
  readonly idempotency?: Idempotency | undefined
  /** How fast wallets are given to callers such as this one. */
  readonly walletPace?: WalletPace | undefined
}

/**
 * Writes a PENDING deposit and answers the wallet to pay to: the investor's own, else the oldest
 * Available one, which becomes theirs for good. Throws `tooManyOpenDeposits`, `noWalletAvailable`,
 * or where the pace forbids a new one `tooManyNewWallets` or `walletsInDemand`; then nothing was
 * written.
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
