/** The coins that each network takes here, and the chain that a payment link names. */
import { type Asset, assetsOf, coins } from '@pool/contract/base/assets'
import { networks } from '@pool/contract/base/networks'
import type { PaidNetwork } from '@pool/contract/chain/paidNetworks'
import { bitcoinChains } from '../chains/genesis.ts'
import type { ChainSettings } from './chainsFile.ts'
import type { Config } from './config.ts'

/**
 * A network as `CHAINS` names it. Without a node a live pool takes real coins, and a sandbox has no
 * chain that a link could name.
 */
export const paidNetworkOf = (
  { chains, poolMode }: Pick<Config, 'chains' | 'poolMode'>,
  name: string,
): PaidNetwork => {
  const known = networks.find((each) => each.name === name)
  const settings = chains.find(({ network }) => network === name)
  const assets = assetsOf(name)
  if (!known || !settings) {
    const chainId = known?.family === 'ethereum' ? known.chainId : null
    return { assets, link: known && poolMode === 'live' ? { chainId } : null }
  }
  return { assets: takenBy(settings, assets), link: linkOf(settings) }
}

/** The network's own coin and the tokens of the file, each as the file has it. */
const takenBy = (settings: ChainSettings, known: readonly Asset[]): readonly Asset[] => {
  const own = known.filter(({ token }) => token === undefined)
  if (settings.kind === 'bitcoin') return own
  const named = settings.tokens.map(({ symbol, decimals, ...token }) => ({
    coin: coins.find((each) => each === symbol),
    decimals,
    token: 'contract' in token ? token.contract : token.mint,
  }))
  return [
    ...own,
    ...named.flatMap(({ coin, ...asset }) => (coin === undefined ? [] : { coin, ...asset })),
  ]
}

/** Links of bitcoin and Solana name no chain, so they are for the main one alone. */
const linkOf = (settings: ChainSettings): PaidNetwork['link'] => {
  if (settings.kind === 'evm') return { chainId: settings.chainId }
  const isMain = settings.kind === 'bitcoin' && bitcoinChains[settings.genesis]?.isMain === true
  return isMain ? { chainId: null } : null
}
