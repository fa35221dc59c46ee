import type { ChainSettings } from '../chainsFile.ts'
import { openBitcoin } from './bitcoin.ts'
import { openEvm } from './evm.ts'
import type { Limits, Node } from './node.ts'

/** Opens the node of a network. Connects at the first call. */
export const openNode = (settings: ChainSettings, limits: Limits = {}): Node =>
  settings.kind === 'bitcoin' ? openBitcoin(settings, limits) : openEvm(settings, limits)
