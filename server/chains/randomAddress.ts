import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import type { NetworkName } from '@pool/contract/wallets'
import { base58, bech32 } from '@scure/base'
import { withEthereumChecksum } from './addresses.ts'

const ethereum = (): string => withEthereumChecksum(randomBytes(20).toString('hex'))

const makers: Readonly<Record<NetworkName, () => string>> = {
  Bitcoin: () => bech32.encode('bc', [0, ...bech32.toWords(randomBytes(20))]),
  Ethereum: ethereum,
  'Binance Smart Chain': ethereum,
  Polygon: ethereum,
  Solana: () => base58.encode(ed25519.getPublicKey(randomBytes(32))),
}

/** Returns a new transaction id in the form of the network, for play. */
export const randomTransactionId = (network: NetworkName): string =>
  network === 'Solana' ? base58.encode(randomBytes(64)) : randomBytes(32).toString('hex')

/** Returns a new address with a valid checksum and an unknown key, for play and tests. */
export const randomAddress = (network: NetworkName): string => makers[network]()
