import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import { openBitcoin } from './bitcoin.ts'
import { readUnspent } from './bitcoinCoins.ts'
import { openEvm } from './evm.ts'
import type { Limits, Node } from './node.ts'
import { openSolana } from './solana.ts'

/** Opens the node of a network in this thread. */
export const openHere = (settings: ChainSettings, limits: Limits): Node => {
  if (settings.kind === 'bitcoin')
    return {
      ...openBitcoin(settings, limits),
      coinsOf: (scripts) => readUnspent(settings, scripts, limits),
    }
  return settings.kind === 'evm' ? openEvm(settings, limits) : openSolana(settings, limits)
}
