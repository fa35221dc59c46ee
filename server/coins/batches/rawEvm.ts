/**
 * Signed transactions of EVM networks, read from their own bytes: legacy (EIP-155), with an access
 * list (EIP-2930) and with a fee market (EIP-1559).
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { evmAddressOf } from '../../base/chains/ethereum.ts'

export type RawEvm = {
  readonly id: string
  /** Hexadecimal digits with 0x, as a node takes them. */
  readonly raw: string
  /** Null where the signature holds on every chain. */
  readonly chainId: bigint | null
  readonly from: string
  readonly nonce: bigint
  readonly to: string
  readonly value: bigint
  /** Hexadecimal digits without 0x. */
  readonly data: string
  readonly gas: bigint
  /** The most wei for a unit of gas. */
  readonly price: bigint
}

/** An item of a list: its own bytes, and those with the length before them. */
type Item = { readonly bytes: Uint8Array; readonly whole: Uint8Array; readonly isList: boolean }

/** Bounds of the first items of the encoding (RLP). Below are bytes that stand for themselves. */
const [TEXT, LIST, SHORT] = [0x80, 0xc0, 55]

const numberOf = (bytes: Uint8Array): bigint => {
  const digits = bytesToHex(bytes)
  return digits === '' ? 0n : BigInt(`0x${digits}`)
}

/** Reads the item at a place. Throws where its bytes end early. */
const itemAt = (bytes: Uint8Array, at: number): Item => {
  const first = bytes[at]
  if (first === undefined) throw new Error('the bytes end early')
  if (first < TEXT) {
    const own = bytes.subarray(at, at + 1)
    return { bytes: own, whole: own, isList: false }
  }
  const isList = first >= LIST
  const short = first - (isList ? LIST : TEXT)
  const digits = short > SHORT ? short - SHORT : 0
  const begins = at + 1 + digits
  const size = digits === 0 ? short : Number(numberOf(bytes.subarray(at + 1, begins)))
  const ends = begins + size
  if (!(ends <= bytes.length)) throw new Error('the bytes end early')
  return { bytes: bytes.subarray(begins, ends), whole: bytes.subarray(at, ends), isList }
}

/** The items of the one list that the bytes are. */
const itemsOf = (bytes: Uint8Array): Item[] => {
  const list = itemAt(bytes, 0)
  if (!list.isList || list.whole.length !== bytes.length) throw new Error('this is no list')
  const items: Item[] = []
  for (let at = 0; at < list.bytes.length; ) {
    const item = itemAt(list.bytes, at)
    items.push(item)
    at += item.whole.length
  }
  return items
}

const encoded = (bytes: Uint8Array, from: number): Uint8Array => {
  if (bytes.length <= SHORT) return concatBytes(Uint8Array.of(from + bytes.length), bytes)
  const digits = bytes.length.toString(16)
  const length = hexToBytes(digits.padStart(digits.length + (digits.length % 2), '0'))
  return concatBytes(Uint8Array.of(from + SHORT + length.length), length, bytes)
}

const encodedNumber = (value: bigint): Uint8Array => {
  const digits = value === 0n ? '' : value.toString(16)
  const bytes = hexToBytes(digits.padStart(digits.length + (digits.length % 2), '0'))
  const [first = TEXT] = bytes
  return bytes.length === 1 && first < TEXT ? bytes : encoded(bytes, TEXT)
}

const listOf = (items: readonly Uint8Array[]): Uint8Array => encoded(concatBytes(...items), LIST)

/** The places of the fields in each form, and the number of them. */
const FORMS = {
  legacy: { nonce: 0, price: 1, gas: 2, to: 3, value: 4, data: 5, fields: 9 },
  1: { nonce: 1, price: 2, gas: 3, to: 4, value: 5, data: 6, fields: 11 },
  2: { nonce: 1, price: 3, gas: 4, to: 5, value: 6, data: 7, fields: 12 },
} as const

/** Added to the bit of an older form's signature: 27, or 35 and twice the chain. */
const [BARE, CHAINED] = [27n, 35n]

const word = (bytes: Uint8Array): string => bytesToHex(bytes).padStart(64, '0')

/** Reads one transaction. Throws for other bytes, and for forms that do more than call. */
export const readRawEvm = (digits: string): RawEvm => {
  const bytes = hexToBytes(digits.replace(/^0x/i, ''))
  const type = bytes[0] ?? 0
  const form = type >= LIST ? FORMS.legacy : type === 1 ? FORMS[1] : type === 2 ? FORMS[2] : null
  if (form === null) throw new Error('the form is not known')
  const isLegacy = form === FORMS.legacy
  const items = itemsOf(isLegacy ? bytes : bytes.subarray(1))
  const at = (place: number): Item => {
    const item = items[place]
    if (!item) throw new Error('a field is missing')
    return item
  }
  if (items.length !== form.fields) throw new Error('this is no signed transaction')
  // A list of places that are read beforehand changes the gas alone, and no signer needs one here.
  if (!isLegacy && !(at(form.data + 1).isList && at(form.data + 1).bytes.length === 0))
    throw new Error('the transaction has an access list')
  const [v, r, s] = [-3, -2, -1].map((place) => at(items.length + place).bytes)
  if (!v || !r || !s) throw new Error('a field is missing')
  const said = numberOf(v)
  const isBare = isLegacy && said < CHAINED
  const chainId = !isLegacy ? numberOf(at(0).bytes) : isBare ? null : (said - CHAINED) / 2n
  const bit = !isLegacy ? said : isBare ? said - BARE : (said - CHAINED) % 2n
  if (bit !== 0n && bit !== 1n) throw new Error('the signature has no bit')
  const fields = items.slice(0, -3).map(({ whole }) => whole)
  const none = Uint8Array.of(TEXT)
  const signed = isLegacy
    ? listOf(chainId === null ? fields : [...fields, encodedNumber(chainId), none, none])
    : concatBytes(bytes.subarray(0, 1), listOf(fields))
  const signature = hexToBytes(`0${bit}${word(r)}${word(s)}`)
  const key = secp256k1.recoverPublicKey(signature, keccak_256(signed), { prehash: false })
  const to = at(form.to).bytes
  if (to.length !== 20) throw new Error('the transaction makes a contract')
  return {
    id: `0x${bytesToHex(keccak_256(bytes))}`,
    raw: `0x${bytesToHex(bytes)}`,
    chainId,
    from: evmAddressOf(key).toLowerCase(),
    nonce: numberOf(at(form.nonce).bytes),
    to: `0x${bytesToHex(to)}`,
    value: numberOf(at(form.value).bytes),
    data: bytesToHex(at(form.data).bytes),
    gas: numberOf(at(form.gas).bytes),
    price: numberOf(at(form.price).bytes),
  }
}
