import { type Family, type NetworkName, networks } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import { bitcoin } from './bitcoin.ts'
import type { Chain, Mode } from './chain.ts'
import { ethereum } from './ethereum.ts'
import { solana } from './solana.ts'

const chains: Readonly<Record<Family, Chain>> = { bitcoin, ethereum, solana }

const byName = new Map<string, Chain>(networks.map(({ name, family }) => [name, chains[family]]))

/** The rules of a network. */
export const chainOf = (network: NetworkName): Chain => byName.get(network) as Chain

/** True for an address that has the form and the checksum, and an owner. */
const accepts = (chain: Chain, address: string, mode: Mode): boolean =>
  chain.isAddress(address, mode) && chain.hasOwner(address)

/**
 * True when a network accepts an address: by form and checksum, and with an owner. Live mode
 * rejects test networks.
 */
export const isAddressOn = (network: NetworkName, address: string, mode: Mode): boolean =>
  accepts(chainOf(network), address, mode)

/** Networks that accept an address: none, one, or all of a family. */
export const networksOf = (address: string, mode: Mode): NetworkName[] =>
  networks.filter(({ family }) => accepts(chains[family], address, mode)).map(({ name }) => name)

/** A transaction on a chain, or the numbered output of one. */
export type Payment = { readonly id: string; readonly output?: number }

/** A transaction id, and the number of an output after a colon. Contracts send below -1. */
const ID_AND_OUTPUT = /^(.*?)(?::(0|[1-9]\d{0,5}|-(?:[2-9]|[1-9]\d{1,5})))?$/

/**
 * Canonical form of the evidence of a deposit or of a payment to an investor (docs/threats.md T7).
 * Undefined when the id is invalid on the network.
 */
export const canonicalEvidence = (networkName: string, text: string): Payment | undefined => {
  const [, written = '', output] = ID_AND_OUTPUT.exec(text.trim()) ?? []
  const chain = byName.get(networkName)
  const id = chain?.transactionId(written)
  if (id === undefined || (output?.startsWith('-') && chain !== ethereum)) return undefined
  return output === undefined ? { id } : { id, output: Number(output) }
}

/** Returns the named network, in any case. Throws `unknownNetwork`. */
export const requireNetwork = (networkName: string): NetworkName => {
  const network = networks.find(
    ({ name }) => name.toLowerCase() === networkName.toLowerCase(),
  )?.name
  if (network === undefined) throw refusal('unknownNetwork')
  return network
}

type AddressToCheck = {
  readonly address: string
  readonly networkName: string
  readonly mode: Mode
  readonly field: string
}

/**
 * Returns the named network, in any case, that accepts the address. Throws `unknownNetwork`, or
 * `invalidAddress` and `addressUnowned` with the address's field.
 */
export const requireAddress = ({
  address,
  networkName,
  mode,
  field,
}: AddressToCheck): NetworkName => {
  const network = requireNetwork(networkName)
  const chain = chainOf(network)
  if (!chain.isAddress(address, mode)) throw refusal('invalidAddress', { network, field })
  if (!chain.hasOwner(address)) throw refusal('addressUnowned', { field })
  return network
}
