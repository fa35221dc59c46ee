import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { type Chain, isMadeUpText } from './chain.ts'

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

/** True for 32 bytes in base 58: an address, also one that no key has, or a hash. */
export const isSolanaKey = (text: string): boolean => bytesOf(text, LONGEST_ADDRESS)?.length === 32

/** The programs that keep tokens: the Token program and Token-2022. */
export const TOKEN_PROGRAMS: ReadonlySet<string> = new Set([
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
])
/** The programs of tokens, which are pasted in place of a wallet. */
const PROGRAMS: ReadonlySet<string> = new Set([
  ...TOKEN_PROGRAMS,
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
])

export const solana: Chain = {
  decimals: 9,
  // There is no checksum. Every key is a point on the curve, but half of all typos are not.
  isAddress: (address) => {
    const key = bytesOf(address, LONGEST_ADDRESS)
    return key?.length === 32 && ed25519.utils.isValidPublicKey(key, false)
  },
  // The names of system programs end in ones. Points of small order have no secret key.
  hasOwner: (address) =>
    !(
      isMadeUpText(address) ||
      PROGRAMS.has(address) ||
      ed25519.Point.fromBytes(base58.decode(address)).isSmallOrder()
    ),
  receiver: (address) => address,
  addressOf: (receiver) => receiver,
  // A signature of 64 bytes, which is case-sensitive.
  transactionId: (text) => (bytesOf(text, LONGEST_SIGNATURE)?.length === 64 ? text : undefined),
  randomAddress: () => base58.encode(ed25519.getPublicKey(randomBytes(32))),
  randomTransactionId: () => base58.encode(randomBytes(64)),
}
