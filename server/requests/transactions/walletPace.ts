import { createHash } from 'node:crypto'
import type { NewWalletLimits } from '../../base/configuration/config.ts'
import { subscriberOf } from '../../base/sessions/ipRange.ts'
import type { WalletPace } from '../../ledger/families/deposits.ts'

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
