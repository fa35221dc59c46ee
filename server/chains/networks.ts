import { type Family, type NetworkName, networks } from '@pool/contract/networks'
import { refusal } from '@pool/contract/refusals'
import { bitcoin } from './bitcoin.ts'
import type { Chain, Mode } from './chain.ts'
import { ethereum } from './ethereum.ts'
import { solana } from './solana.ts'

const chains: Readonly<Record<Family, Chain>> = { bitcoin, ethereum, solana }

const byName = new Map<string, Chain>(networks.map(({ name, family }) => [name, chains[family]]))

/** The rules of a network. */
export const chainOf = (network: NetworkName): Chain => byName.get(network) as Chain

/** True when a network accepts an address by form and checksum. Live mode rejects test networks. */
export const isAddressOn = (network: NetworkName, address: string, mode: Mode): boolean =>
  chainOf(network).isAddress(address, mode)

/** Networks that accept an address: none, one, or all of a family. */
export const networksOf = (address: string, mode: Mode): NetworkName[] =>
  networks.filter(({ family }) => chains[family].isAddress(address, mode)).map(({ name }) => name)

/**
 * Canonical form of a transaction id, the evidence of a deposit (docs/threats.md T7). Undefined
 * when the id is invalid on the network.
 */
export const canonicalEvidence = (networkName: string, text: string): string | undefined =>
  byName.get(networkName)?.transactionId(text.trim())

/** Returns the named network, in any case. Throws `unknownNetwork`. */
export const requireNetwork = (networkName: string): NetworkName => {
  const network = networks.find(
    ({ name }) => name.toLowerCase() === networkName.toLowerCase(),
  )?.name
  if (network === undefined) throw refusal('unknownNetwork')
  return network
}

type Named = {
  readonly address: string
  readonly networkName: string
  readonly mode: Mode
  readonly field: string
}

/**
 * Returns the named network, in any case, that accepts the address. Throws `unknownNetwork`, or
 * `invalidAddress` with the network and the address's field.
 */
export const requireAddress = ({ address, networkName, mode, field }: Named): NetworkName => {
  const network = requireNetwork(networkName)
  if (!isAddressOn(network, address, mode)) throw refusal('invalidAddress', { network, field })
  return network
}
