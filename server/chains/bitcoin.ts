import { randomBytes } from 'node:crypto'
import { bech32 } from '@scure/base'
import { getAddressInfo } from 'bitcoin-address-validation'
import { type Chain, hashAfter } from './chain.ts'

/** `mainnet` or a test network for an address with a valid checksum, else undefined. */
export const bitcoinNetworkOf = (address: string): string | undefined => {
  try {
    return getAddressInfo(address).network
  } catch {
    return undefined
  }
}

export const bitcoin: Chain = {
  decimals: 8,
  isAddress: (address, mode) => {
    const network = bitcoinNetworkOf(address)
    return network !== undefined && (mode === 'sandbox' || network === 'mainnet')
  },
  transactionId: hashAfter(''),
  randomAddress: () => bech32.encode('bc', [0, ...bech32.toWords(randomBytes(20))]),
  randomTransactionId: () => randomBytes(32).toString('hex'),
}
