/**
 * Transactions of a Safe (versions 1.3.0 and 1.4.1), and the hash that its signers compare. Makes
 * both from public facts: nothing here signs.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

export type Call = {
  readonly to: string
  readonly value: bigint
  /** Hexadecimal digits without 0x. */
  readonly data: string
}

/** A transaction of a Safe: a call, or the contract that makes several. */
export type SafeTransaction = Call & { readonly operation: 0 | 1 }

/** The contract `MultiSendCallOnly` of each version, as the Safe's own pages choose it. */
export const MULTI_SEND: Readonly<Record<string, readonly string[]>> = {
  '1.3.0': [
    '0x40a2accbd92bca938b02010e17a5b8929b49130d',
    '0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b',
  ],
  '1.4.1': ['0x9641d764fc13c8b624c04430c7356c1c7c8102e2'],
}

/** The selectors of `multiSend(bytes)` and of a token's `transfer(address,uint256)`. */
const [MULTI_SEND_SELECTOR, TRANSFER_SELECTOR] = ['8d80ff0a', 'a9059cbb']

const number = (value: bigint | number): string => value.toString(16).padStart(64, '0')
const addressWord = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0')
const keccak = (hex: string): string => bytesToHex(keccak_256(hexToBytes(hex)))
const keccakOfText = (text: string): string => bytesToHex(keccak_256(utf8ToBytes(text)))

/** The data of a token's transfer. */
export const transferData = (receiver: string, units: bigint): string =>
  TRANSFER_SELECTOR + addressWord(receiver) + number(units)

/** A call as `multiSend` reads it: a kind, receiver, value, and data with its length. */
export const packed = ({ to, value, data }: Call): string =>
  `00${to.slice(2).toLowerCase()}${number(value)}${number(data.length / 2)}${data}`

/** The one transaction that makes these calls. A single call needs no contract for several. */
export const safeTransactionOf = (calls: readonly Call[], multiSend: string): SafeTransaction => {
  const [only] = calls
  if (only && calls.length === 1) return { ...only, operation: 0 }
  const all = calls.map(packed).join('')
  const padding = '0'.repeat((64 - (all.length % 64)) % 64)
  const data = MULTI_SEND_SELECTOR + number(32) + number(all.length / 2) + all + padding
  return { to: multiSend, value: 0n, data, operation: 1 }
}

const DOMAIN = keccakOfText('EIP712Domain(uint256 chainId,address verifyingContract)')
const TYPE = keccakOfText(
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)',
)

type Signed = { readonly chainId: number; readonly safe: string; readonly nonce: number }

/** The hash that owners sign (EIP-712), without refunds of gas. */
export const safeHashOf = (
  { to, value, data, operation }: SafeTransaction,
  { chainId, safe, nonce }: Signed,
): string => {
  const domain = keccak(DOMAIN + number(chainId) + addressWord(safe))
  const noRefund = number(0).repeat(5)
  const struct = keccak(
    TYPE +
      addressWord(to) +
      number(value) +
      keccak(data) +
      number(operation) +
      noRefund +
      number(nonce),
  )
  return `0x${keccak(`1901${domain}${struct}`)}`
}

type File = {
  readonly chainId: number
  readonly safe: string
  readonly nonce: number
  readonly hash: string
  readonly calls: readonly Call[]
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The file of the Safe's transaction builder. It has no place for a nonce; its words name it. */
export const builderFileOf = ({ chainId, safe, nonce, hash, calls, at }: File): string => {
  const file = {
    version: '1.0',
    chainId: String(chainId),
    createdAt: at,
    meta: {
      name: `Payouts, nonce ${nonce}`,
      description: `Sign with nonce ${nonce} alone. safeTxHash: ${hash}`,
      txBuilderVersion: '1.18.0',
      createdFromSafeAddress: safe,
      createdFromOwnerAddress: '',
    },
    transactions: calls.map(({ to, value, data }) => ({
      to,
      value: String(value),
      data: data === '' ? null : `0x${data}`,
      contractMethod: null,
      contractInputsValues: null,
    })),
  }
  return `${JSON.stringify(file, null, 2)}\n`
}
