import { createHash } from 'node:crypto'
import type { NewWalletLimits } from '../config.ts'
import type { WalletPace } from '../ledger/operation.ts'
import { ipRange } from '../sessions/ipRange.ts'

/**
 * Joins what one subscriber may have of IPv6: anybody can get a /48, and 65,536 networks with it.
 */
const SUBSCRIBER = 48

/**
 * Holds a caller to the operator's limits; undefined where there are none. Nothing is kept of the
 * IP address but a digest.
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
