import { createHash } from 'node:crypto'
import type { NewWalletLimits } from '../config.ts'
import type { WalletPace } from '../ledger/deposits.ts'
import { subscriberOf } from '../sessions/ipRange.ts'

/**
 * The operator's limits on new wallets for a caller, undefined without limits. Stores only a digest
 * of the IP address.
 */
export const walletPace = (
  limits: NewWalletLimits | undefined,
  ip: string,
): WalletPace | undefined =>
  limits && {
    source: createHash('sha256')
      .update(`wallet ${subscriberOf(ip)}`)
      .digest(),
    ...limits,
  }
