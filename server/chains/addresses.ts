import { ed25519 } from '@noble/curves/ed25519.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { refusal } from '@pool/contract/refusals'
import { type NetworkName, networks } from '@pool/contract/wallets'
import { base58 } from '@scure/base'
import { getAddressInfo } from 'bitcoin-address-validation'

/** Live mode rejects addresses of test networks. */
type Mode = 'sandbox' | 'live'

/** `mainnet` or a test network for a Bitcoin address with a valid checksum, else undefined. */
export const bitcoinNetworkOf = (address: string): string | undefined => {
  try {
    return getAddressInfo(address).network
  } catch {
    return undefined
  }
}

/** Applies EIP-55's checksum to 40 hexadecimal digits through the case of their letters. */
export const withEthereumChecksum = (hex: string): string => {
  const digest = bytesToHex(keccak_256(utf8ToBytes(hex.toLowerCase())))
  const cased = [...hex.toLowerCase()].map((digit, at) =>
    Number.parseInt(digest[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}

// An address in one case has no checksum, and is valid too.
const isEthereum = (address: string): boolean => {
  const hex = /^0x([0-9a-fA-F]{40})$/.exec(address)?.[1]
  if (hex === undefined || /^0+$/.test(hex)) return false
  return (
    hex === hex.toLowerCase() || hex === hex.toUpperCase() || withEthereumChecksum(hex) === address
  )
}

// Solana addresses have no checksum. Every key is a point on the curve, but half of all typos are
// not.
const isSolana = (address: string): boolean => {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) return false
  const bytes = base58.decode(address)
  return bytes.length === 32 && ed25519.utils.isValidPublicKey(bytes, false)
}

const rules: Readonly<Record<NetworkName, (address: string, mode: Mode) => boolean>> = {
  Bitcoin: (address, mode) => {
    const network = bitcoinNetworkOf(address)
    return network !== undefined && (mode === 'sandbox' || network === 'mainnet')
  },
  Ethereum: isEthereum,
  'Binance Smart Chain': isEthereum,
  Polygon: isEthereum,
  Solana: isSolana,
}

/** True when a network accepts an address by form and checksum. Live mode rejects test networks. */
export const isAddressOn = (network: NetworkName, address: string, mode: Mode): boolean =>
  rules[network](address, mode)

/** Networks that accept an address: none, one, or the three that share a form. */
export const networksOf = (address: string, mode: Mode): NetworkName[] =>
  (Object.keys(rules) as NetworkName[]).filter((network) => rules[network](address, mode))

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
