import type { NetworkName } from '@pool/contract/base/networks'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import type { Config } from '../../base/configuration/config.ts'

/** The settings of a network. Undefined without a node. */
export const settingsOf = (
  { chains }: Pick<Config, 'chains'>,
  network: NetworkName,
): ChainSettings | undefined => chains.find((each) => each.network === network)

/** The claims of an operator that a node can confirm, and the host of the node. */
export const claimOf = (settings: ChainSettings): string => {
  const { host } = new URL(settings.url)
  if (settings.kind === 'bitcoin') return JSON.stringify([host, settings.genesis])
  if (settings.kind === 'solana') return JSON.stringify([host, settings.genesis, settings.tokens])
  const { chainId, tokens, traces } = settings
  return JSON.stringify([host, chainId, tokens, ...(traces ? ['traces'] : [])])
}
