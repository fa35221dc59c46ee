import { ed25519 } from '@noble/curves/ed25519.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { refusal } from '@pool/contract/refusals'
import { type NetworkName, networks } from '@pool/contract/wallets'
import { base58 } from '@scure/base'
import { getAddressInfo } from 'bitcoin-address-validation'

/** Live mode deals in coins that are worth something: it knows no test networks. */
type Mode = 'sandbox' | 'live'

/**
 * `mainnet` or a test network of Bitcoin, by an address whose checksum holds; undefined for
 * anything else.
 */
export const bitcoinNetworkOf = (address: string): string | undefined => {
  try {
    return getAddressInfo(address).network
  } catch {
    return undefined
  }
}

/** Twenty bytes in hexadecimal with the checksum of EIP-55 in the case of their letters. */
export const withEthereumChecksum = (hex: string): string => {
  const digest = bytesToHex(keccak_256(utf8ToBytes(hex.toLowerCase())))
  const cased = [...hex.toLowerCase()].map((digit, at) =>
    Number.parseInt(digest[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}

// Written in one case, an address has no checksum; that is as valid.
const isEthereum = (address: string): boolean => {
  const hex = /^0x([0-9a-fA-F]{40})$/.exec(address)?.[1]
  if (hex === undefined || /^0+$/.test(hex)) return false
  return (
    hex === hex.toLowerCase() || hex === hex.toUpperCase() || withEthereumChecksum(hex) === address
  )
}

// An address of Solana has no checksum: that it is a point of the curve, as every key is and half
// of all mistyped ones are not, stands in for one.
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

/**
 * Whether coins of a network can be paid to an address, as far as the address itself tells: form,
 * checksum, and in live mode no test network.
 */
export const isAddressOn = (network: NetworkName, address: string, mode: Mode): boolean =>
  rules[network](address, mode)

/** The networks on which an address is valid: none, one, or the three that share their form. */
export const networksOf = (address: string, mode: Mode): NetworkName[] =>
  (Object.keys(rules) as NetworkName[]).filter((network) => rules[network](address, mode))

type Named = {
  readonly address: string
  readonly networkName: string
  readonly mode: Mode
  readonly field: string
}

/**
 * The network of that name, in any case, once the address is known to be one of its. Throws
 * `unknownNetwork`, and `invalidAddress` naming the network and the field of the address.
 */
export const requireAddress = ({ address, networkName, mode, field }: Named): NetworkName => {
  const network = networks.find(
    ({ name }) => name.toLowerCase() === networkName.toLowerCase(),
  )?.name
  if (network === undefined) throw refusal('unknownNetwork')
  if (!isAddressOn(network, address, mode)) throw refusal('invalidAddress', { network, field })
  return network
}
