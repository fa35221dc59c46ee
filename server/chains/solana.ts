import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import type { Chain } from './chain.ts'

/** Most characters of 32 and of 64 bytes in base 58. Decoding takes the square of the length. */
const LONGEST_ADDRESS = 44
const LONGEST_SIGNATURE = 88

const bytesOf = (text: string, longest: number): Uint8Array | undefined => {
  if (text.length > longest) return undefined
  try {
    return base58.decode(text)
  } catch {
    return undefined
  }
}

export const solana: Chain = {
  decimals: 9,
  // There is no checksum. Every key is a point on the curve, but half of all typos are not.
  isAddress: (address) => {
    const key = bytesOf(address, LONGEST_ADDRESS)
    return key?.length === 32 && ed25519.utils.isValidPublicKey(key, false)
  },
  // A signature of 64 bytes, which is case-sensitive.
  transactionId: (text) => (bytesOf(text, LONGEST_SIGNATURE)?.length === 64 ? text : undefined),
  randomAddress: () => base58.encode(ed25519.getPublicKey(randomBytes(32))),
  randomTransactionId: () => base58.encode(randomBytes(64)),
}
