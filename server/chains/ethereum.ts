import { randomBytes } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Chain, hashAfter } from './chain.ts'

/** Applies EIP-55's checksum to 40 hexadecimal digits through the case of their letters. */
const withChecksum = (hex: string): string => {
  const digest = bytesToHex(keccak_256(utf8ToBytes(hex.toLowerCase())))
  const cased = [...hex.toLowerCase()].map((digit, at) =>
    Number.parseInt(digest[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}

export const ethereum: Chain = {
  decimals: 18,
  // An address in one case has no checksum, and is valid too.
  isAddress: (address) => {
    const hex = /^0x([0-9a-fA-F]{40})$/.exec(address)?.[1]
    if (hex === undefined || /^0+$/.test(hex)) return false
    return hex === hex.toLowerCase() || hex === hex.toUpperCase() || withChecksum(hex) === address
  },
  transactionId: hashAfter('0x'),
  randomAddress: () => withChecksum(randomBytes(20).toString('hex')),
  randomTransactionId: () => randomBytes(32).toString('hex'),
}
