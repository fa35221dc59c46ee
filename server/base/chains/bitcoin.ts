import { randomBytes } from 'node:crypto'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE } from '@noble/curves/utils.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base58, bech32, bech32m } from '@scure/base'
import { AddressType, getAddressInfo } from 'bitcoin-address-validation'
import { type Chain, hashAfter, isMadeUpHash, isMadeUpText } from './chain.ts'

/** `mainnet` or a test network for an address with a valid checksum, else undefined. */
export const bitcoinNetworkOf = (address: string): string | undefined => {
  try {
    return getAddressInfo(address).network
  } catch {
    return undefined
  }
}

const hash160 = (bytes: Uint8Array): string => bytesToHex(ripemd160(sha256(bytes)))

/** Scripts that ask for no key: none at all, and a single number. */
const OPEN_SCRIPTS = [
  '',
  '4f',
  ...Array.from({ length: 16 }, (_, n) => (0x51 + n).toString(16)),
].map(hexToBytes)
const EMPTY_KEY = hash160(new Uint8Array())

/** The hashes and keys that everyone knows, by the type of their address. */
const OPEN: Readonly<Partial<Record<AddressType, ReadonlySet<string>>>> = {
  [AddressType.p2pkh]: new Set([EMPTY_KEY]),
  [AddressType.p2wpkh]: new Set([EMPTY_KEY]),
  [AddressType.p2sh]: new Set(OPEN_SCRIPTS.map(hash160)),
  [AddressType.p2wsh]: new Set(OPEN_SCRIPTS.map((script) => bytesToHex(sha256(script)))),
  // The point without a known key of BIP 341.
  [AddressType.p2tr]: new Set(['50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0']),
}

/** Addresses of the secret key 1, which BIP 173 and BIP 350 print. Test networks are for play. */
const keyOne = secp256k1.Point.BASE.toBytes(true)
const OF_KEY_ONE: ReadonlySet<string> = new Set([
  hash160(keyOne),
  hash160(secp256k1.Point.BASE.toBytes(false)),
  hash160(hexToBytes(`0014${hash160(keyOne)}`)),
  bytesToHex(sha256(hexToBytes(`21${bytesToHex(keyOne)}ac`))),
  bytesToHex(keyOne.slice(1)),
])

const BURNT: ReadonlySet<string> = new Set(['1BitcoinEaterAddressDontSendf59kuE'])

/** The hash or the key that an address pays to. */
const paidTo = (address: string, type: AddressType): Uint8Array => {
  if (type === AddressType.p2pkh || type === AddressType.p2sh)
    return base58.decode(address).slice(1, -4)
  const coder = type === AddressType.p2tr ? bech32m : bech32
  return coder.fromWords(coder.decode(address as `${string}1${string}`).words.slice(1))
}

const push = (bytes: Uint8Array): string =>
  bytes.length.toString(16).padStart(2, '0') + bytesToHex(bytes)

/** The script of an address, in hexadecimal. It is the same on test networks. */
const scriptOf = (address: string): string => {
  const { type } = getAddressInfo(address)
  const pushed = push(paidTo(address, type))
  if (type === AddressType.p2pkh) return `76a9${pushed}88ac`
  if (type === AddressType.p2sh) return `a9${pushed}87`
  return (type === AddressType.p2tr ? '51' : '00') + pushed
}

const base58Of = (version: number, hash: string): string => {
  const body = Uint8Array.from([version, ...hexToBytes(hash)])
  return base58.encode(Uint8Array.from([...body, ...sha256(sha256(body)).slice(0, 4)]))
}

/** The address of a script on the main network, in any witness version. */
const addressOf = (script: string): string | undefined => {
  const [, byKey, byScript] = /^(?:76a914(.{40})88ac|a914(.{40})87)$/.exec(script) ?? []
  if (byKey !== undefined) return base58Of(0, byKey)
  if (byScript !== undefined) return base58Of(5, byScript)
  const [, version, length, program = ''] = /^(00|5[1-9a-f]|60)(..)(.+)$/.exec(script) ?? []
  const bytes = program.length / 2
  if (version === undefined || bytes !== Number.parseInt(length ?? '', 16)) return undefined
  if (version === '00' ? bytes !== 20 && bytes !== 32 : bytes < 2 || bytes > 40) return undefined
  const words = bech32.toWords(hexToBytes(program))
  return version === '00'
    ? bech32.encode('bc', [0, ...words])
    : bech32m.encode('bc', [Number.parseInt(version, 16) - 0x50, ...words])
}

/** A key of taproot is a point, and half of all numbers are none. */
const isPoint = (key: Uint8Array): boolean => {
  try {
    return Boolean(schnorr.utils.lift_x(bytesToNumberBE(key)))
  } catch {
    return false
  }
}

/**
 * False for witness versions and lengths without rules yet, which every miner can spend, for open
 * scripts, known keys and burn addresses.
 */
const hasOwner = (address: string): boolean => {
  const { type, network } = getAddressInfo(address)
  // Only version 0 with 20 or 32 bytes and version 1 with 32 bytes have a type.
  if (type === AddressType.unknown || BURNT.has(address) || isMadeUpText(address)) return false
  const bytes = paidTo(address, type)
  const hex = bytesToHex(bytes)
  if (type === AddressType.p2tr && !isPoint(bytes)) return false
  return !(
    isMadeUpHash(hex) ||
    OPEN[type]?.has(hex) ||
    (network === 'mainnet' && OF_KEY_ONE.has(hex))
  )
}

export const bitcoin: Chain = {
  decimals: 8,
  isAddress: (address, mode) => {
    const network = bitcoinNetworkOf(address)
    return network !== undefined && (mode === 'sandbox' || network === 'mainnet')
  },
  hasOwner,
  addressOfKey: (publicKey, isTest) =>
    bech32.encode(isTest ? 'tb' : 'bc', [0, ...bech32.toWords(hexToBytes(hash160(publicKey)))]),
  receiver: scriptOf,
  addressOf,
  transactionId: hashAfter(''),
  randomAddress: () => bech32.encode('bc', [0, ...bech32.toWords(randomBytes(20))]),
  randomTransactionId: () => randomBytes(32).toString('hex'),
}
