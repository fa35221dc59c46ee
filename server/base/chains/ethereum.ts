import { randomBytes } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Chain, hashAfter, isMadeUpHash } from './chain.ts'

/** Applies EIP-55's checksum to 40 hexadecimal digits through the case of their letters. */
const withChecksum = (hex: string): string => {
  const digest = bytesToHex(keccak_256(utf8ToBytes(hex.toLowerCase())))
  const cased = [...hex.toLowerCase()].map((digit, at) =>
    Number.parseInt(digest[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}

/** Precompiled and system contracts, down from 0x01, have nothing but zeros in front. */
const SYSTEM = /^0{30}/
const UNOWNED: ReadonlySet<string> = new Set([
  'dead000000000000000042069420694206942069',
  // The secret key 1.
  '7e5f4552091a69125d5dfcb7b8c2659029395bdf',
])

/** The address of a compressed public key. */
export const evmAddressOf = (publicKey: Uint8Array): string => {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  return withChecksum(bytesToHex(keccak_256(point.slice(1)).slice(-20)))
}

export const ethereum: Chain = {
  decimals: 18,
  // An address in one case has no checksum, and is valid too.
  isAddress: (address) => {
    const hex = /^0x([0-9a-fA-F]{40})$/.exec(address)?.[1]
    if (hex === undefined) return false
    return hex === hex.toLowerCase() || hex === hex.toUpperCase() || withChecksum(hex) === address
  },
  hasOwner: (address) => {
    const hex = address.slice(2).toLowerCase()
    return !(SYSTEM.test(hex) || isMadeUpHash(hex) || UNOWNED.has(hex))
  },
  addressOfKey: evmAddressOf,
  receiver: (address) => address.toLowerCase(),
  addressOf: (receiver) => withChecksum(receiver.slice(2)),
  transactionId: hashAfter('0x'),
  randomAddress: () => withChecksum(randomBytes(20).toString('hex')),
  randomTransactionId: () => randomBytes(32).toString('hex'),
}
