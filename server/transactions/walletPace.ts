import { createHash } from 'node:crypto'
import type { NewWalletLimits } from '../config.ts'
import type { WalletPace } from '../ledger/deposits.ts'
import { ipRange } from '../sessions/ipRange.ts'

/** Counts an IPv6 /48 as one subscriber, who gets 65,536 networks with it. */
const SUBSCRIBER = 48

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
      .update(`wallet ${ipRange(ip, SUBSCRIBER)}`)
      .digest(),
    ...limits,
  }
