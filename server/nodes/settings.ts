import type { NetworkName } from '@pool/contract/networks'
import type { ChainSettings } from '../chainsFile.ts'
import type { Config } from '../config.ts'

/** The settings of a network. Undefined without a node. */
export const settingsOf = (
  { chains }: Pick<Config, 'chains'>,
  network: NetworkName,
): ChainSettings | undefined => chains.find((each) => each.network === network)

/** The claims of an operator that a node can confirm, and the host of the node. */
export const claimOf = (settings: ChainSettings): string => {
  const { host } = new URL(settings.url)
  return settings.kind === 'bitcoin'
    ? JSON.stringify([host, settings.genesis])
    : JSON.stringify([
        host,
        settings.chainId,
        settings.tokens,
        ...(settings.traces ? ['traces'] : []),
      ])
}
