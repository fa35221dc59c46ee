/** Signed transactions of EVM networks (EIP-155). */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { HDKey } from '@scure/bip32'

/** Hexadecimal digits without 0x, in pairs, and none for 0. */
const digitsOf = (value: bigint): string => {
  const hex = value === 0n ? '' : value.toString(16)
  return hex.length % 2 === 0 ? hex : `0${hex}`
}

const lengthOf = (bytes: number, short: number): string => {
  if (bytes < 56) return (short + bytes).toString(16)
  const length = digitsOf(BigInt(bytes))
  return (short + 55 + length.length / 2).toString(16) + length
}

/** Encodes a text of digits by RLP. */
const item = (hex: string): string =>
  hex.length === 2 && hex < '80' ? hex : lengthOf(hex.length / 2, 0x80) + hex

const list = (items: readonly string[]): string => {
  const all = items.map(item).join('')
  return lengthOf(all.length / 2, 0xc0) + all
}

export type EvmCall = {
  readonly to: string
  readonly value: bigint
  /** Hexadecimal digits without 0x. */
  readonly data: string
}

type UnsignedCall = EvmCall & {
  readonly nonce: bigint
  readonly gasPrice: bigint
  readonly gas: bigint
  readonly chainId: number
}

/** Signs a transaction. Returns what a node takes. */
export const signedBy = (
  { privateKey }: HDKey,
  { nonce, gasPrice, gas, to, value, data, chainId }: UnsignedCall,
): string => {
  const shared = [
    digitsOf(nonce),
    digitsOf(gasPrice),
    digitsOf(gas),
    to.slice(2).toLowerCase(),
    digitsOf(value),
    data,
  ]
  const hash = keccak_256(hexToBytes(list([...shared, digitsOf(BigInt(chainId)), '', ''])))
  const signature = bytesToHex(
    secp256k1.sign(hash, privateKey ?? new Uint8Array(), { prehash: false, format: 'recovered' }),
  )
  const recovery = BigInt(`0x${signature.slice(0, 2)}`)
  const [r, s] = [signature.slice(2, 66), signature.slice(66)]
  return `0x${list([
    ...shared,
    digitsOf(BigInt(chainId) * 2n + 35n + recovery),
    digitsOf(BigInt(`0x${r}`)),
    digitsOf(BigInt(`0x${s}`)),
  ])}`
}
