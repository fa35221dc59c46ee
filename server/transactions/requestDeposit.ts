import type { Cents } from '@pool/contract/money'
import { requireNetwork } from '../chains/networks.ts'
import { newId } from '../db/ids.ts'
import type { WalletPace } from '../ledger/deposits.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Asker, Idempotency } from '../ledger/movement.ts'
import type { Quoting } from '../ledger/quotes.ts'
import { wireQuote } from './quotes.ts'

export type DepositRequest = {
  readonly by: Asker
  readonly amount: Cents
  readonly description?: string | undefined
  /** The network that the investor chooses. Undefined takes the one used last, else any. */
  readonly networkName?: string | undefined
  readonly idempotency?: Idempotency | undefined
  /** The limits on new wallets for this caller. */
  readonly walletPace?: WalletPace | undefined
  /** Quotes the coins to send. Undefined makes no quote. */
  readonly quoting?: Quoting | undefined
}

/**
 * Writes a PENDING deposit, and its quote where a rate counts. Returns both with the investor's
 * wallet. Throws `unknownNetwork`, and the refusals of `assign_wallets`.
 */
export const requestDeposit = async (
  ledger: Ledger,
  { by, amount, description = '', networkName, idempotency, walletPace, quoting }: DepositRequest,
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
    quoting,
  })
  return {
    transactionId: posted.id,
    address: posted.address ?? '',
    networkName: posted.networkName ?? '',
    ...(posted.quote && { quote: wireQuote(posted.quote) }),
  }
}
