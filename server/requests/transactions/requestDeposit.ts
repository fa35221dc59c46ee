import type { Cents } from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import { Refusal } from '@pool/contract/base/refusals'
import { requireNetwork } from '../../base/chains/networks.ts'
import { newId } from '../../base/db/ids.ts'
import type { Ledger } from '../../ledger/engine/ledger.ts'
import type { WalletPace } from '../../ledger/families/deposits.ts'
import type { Asker, Idempotency } from '../../ledger/families/movement.ts'
import type { Quoting } from '../../ledger/families/quotes.ts'
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
  /** Derives addresses of a network, or of any. False if no key gives more. */
  readonly derive?: ((network?: NetworkName) => Promise<boolean>) | undefined
}

/** A thousand newcomers of one moment, by twenty addresses at a time. */
const MOST_TRIES = 50

const isEmptyStock = (error: unknown): boolean =>
  error instanceof Refusal && ['noWalletAvailable', 'noWalletOnNetwork'].includes(error.code)

/**
 * Writes a PENDING deposit, and its quote where a rate counts. Returns both with the investor's
 * wallet, derived now if need be. Throws `unknownNetwork`, and the refusals of `assign_wallets`.
 */
export const requestDeposit = async (
  ledger: Ledger,
  { by, amount, description = '', idempotency, walletPace, quoting, ...asked }: DepositRequest,
) => {
  const networkName =
    asked.networkName === undefined ? undefined : requireNetwork(asked.networkName)
  const post = () =>
    ledger.post({
      movement: 'deposit_requested',
      by,
      idempotency,
      id: newId(),
      amount,
      description,
      networkName,
      walletPace,
      quoting,
    })
  // Others may take the addresses that were just derived.
  const postWith = async (tries: number): ReturnType<typeof post> => {
    try {
      return await post()
    } catch (error) {
      const mayTry = tries > 0 && isEmptyStock(error)
      if (!mayTry || !(await asked.derive?.(networkName))) throw error
      return postWith(tries - 1)
    }
  }
  const posted = await postWith(MOST_TRIES)
  return {
    transactionId: posted.id,
    address: posted.address ?? '',
    networkName: posted.networkName ?? '',
    ...(posted.quote && { quote: wireQuote(posted.quote) }),
  }
}
