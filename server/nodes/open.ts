import type { ChainSettings } from '../chainsFile.ts'
import { openBitcoin } from './bitcoin.ts'
import { openEvm } from './evm.ts'
import type { Limits, Node } from './node.ts'
import { openSolana } from './solana.ts'

/** Opens the node of a network. Connects at the first call. */
export const openNode = (settings: ChainSettings, limits: Limits = {}): Node => {
  if (settings.kind === 'bitcoin') return openBitcoin(settings, limits)
  return settings.kind === 'evm' ? openEvm(settings, limits) : openSolana(settings, limits)
}
