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

/** The five words of a Safe's transaction that give no gas back. */
const NO_REFUND = number(0).repeat(5)

/** The hash that owners sign (EIP-712). The files of the product refund no gas. */
export const safeHashOf = (
  { to, value, data, operation }: SafeTransaction,
  { chainId, safe, nonce }: Signed,
  refund = NO_REFUND,
): string => {
  const domain = keccak(DOMAIN + number(chainId) + addressWord(safe))
  const struct = keccak(
    TYPE +
      addressWord(to) +
      number(value) +
      keccak(data) +
      number(operation) +
      refund +
      number(nonce),
  )
  return `0x${keccak(`1901${domain}${struct}`)}`
}

/** Digits of a word, and those of zeros before an address in one. */
const [WORD, ZEROS] = [64, 24]
/** The selector of `execTransaction`, whose ten words come before its data. */
const EXECUTE_SELECTOR = '6a761202'

/** The word at a place. Throws past the end. */
const wordAt = (words: string, digits: number): string => {
  const found = words.slice(digits, digits + WORD)
  if (found.length < WORD) throw new Error('the data end early')
  return found
}
const numberAt = (words: string, digits: number): bigint => BigInt(`0x${wordAt(words, digits)}`)
const addressAt = (words: string, digits: number): string => {
  const found = wordAt(words, digits)
  if (!/^0*$/.test(found.slice(0, ZEROS))) throw new Error('this is no address')
  return `0x${found.slice(ZEROS)}`
}
/** The bytes to which the word at a place points. */
const bytesAt = (words: string, digits: number): string => {
  const from = Number(numberAt(words, digits)) * 2
  const size = Number(numberAt(words, from)) * 2
  const found = words.slice(from + WORD, from + WORD + size)
  if (found.length < size) throw new Error('the data end early')
  return found
}

/** A payment by a call. `contract` is the token's, and null for the network's own coin. */
type Transfer = {
  readonly receiver: string
  readonly units: bigint
  readonly contract: string | null
}

/** The payment that a call makes. Undefined for any other call. */
export const readTransfer = ({ to, value, data }: Call): Transfer | undefined => {
  if (data === '') return { receiver: to, units: value, contract: null }
  const words = data.slice(TRANSFER_SELECTOR.length)
  if (!data.startsWith(TRANSFER_SELECTOR) || words.length !== 2 * WORD || value !== 0n)
    return undefined
  if (!/^0*$/.test(words.slice(0, ZEROS))) return undefined
  return { receiver: addressAt(words, 0), units: numberAt(words, WORD), contract: to }
}

export type ExecutedSafe = SafeTransaction & {
  /** The five words of the refund, as they are hashed. */
  readonly refund: string
}

/** The Safe's transaction that a call of `execTransaction` executes. Undefined for other calls. */
export const readExecution = ({ data }: Call): ExecutedSafe | undefined => {
  const words = data.slice(EXECUTE_SELECTOR.length)
  if (!data.startsWith(EXECUTE_SELECTOR)) return undefined
  try {
    const operation = numberAt(words, 3 * WORD)
    if (operation !== 0n && operation !== 1n) return undefined
    return {
      to: addressAt(words, 0),
      value: numberAt(words, WORD),
      data: bytesAt(words, 2 * WORD),
      operation: operation === 0n ? 0 : 1,
      refund: words.slice(4 * WORD, 9 * WORD),
    }
  } catch {
    return undefined
  }
}

/** The calls of a `multiSend`. Undefined for other data, and for a call of another kind in it. */
export const readMultiSend = ({ data }: Call): readonly Call[] | undefined => {
  if (!data.startsWith(MULTI_SEND_SELECTOR)) return undefined
  try {
    const all = bytesAt(data.slice(MULTI_SEND_SELECTOR.length), 0)
    const calls: Call[] = []
    // A kind of two digits, 40 of the receiver, the value, and the data with their length.
    for (let at = 0; at < all.length; ) {
      const [kind, to] = [all.slice(at, at + 2), all.slice(at + 2, at + 42)]
      const value = numberAt(all, at + 42)
      const size = Number(numberAt(all, at + 42 + WORD)) * 2
      const begins = at + 42 + 2 * WORD
      const own = all.slice(begins, begins + size)
      if (kind !== '00' || own.length < size) return undefined
      calls.push({ to: `0x${to}`, value, data: own })
      at = begins + size
    }
    return calls
  } catch {
    return undefined
  }
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
