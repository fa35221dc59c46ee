/**
 * Watch-only account keys, and the deposit addresses that follow from them. Derives from public
 * keys alone: no code here makes or takes a private one (docs/decisions/044).
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { type NetworkName, networks } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import { isPrivate, type KeyProblem } from '@pool/contract/chain/addressKeys'
import { createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import type { Mode } from './chain.ts'
import { checksumOf } from './descriptors.ts'
import { chainOf } from './networks.ts'

export type AccountKey = {
  /** One form for every way to write it: a descriptor for Bitcoin, else the key and its origin. */
  readonly text: string
  /** The key as 78 bytes (BIP 32). */
  readonly extended: Uint8Array
  /** Of the wallet's first key; null where the text does not tell it. */
  readonly fingerprint: string | null
  /** The fingerprint, or the ends of the key. */
  readonly name: string
  /** The deposit address with this number, from 0. */
  readonly addressAt: (index: number) => string
  /** The address of change with this number, from 0. */
  readonly changeAt: (index: number) => string
  /** The key of an address, and its place for a signer. Undefined if the text tells no origin. */
  readonly placeOf: (branch: Branch, index: number) => KeyPlace | undefined
}

/** Deposit addresses, or those of change. */
export type Branch = 0 | 1

export type KeyPlace = {
  readonly publicKey: Uint8Array
  /** Of the wallet's first key. */
  readonly fingerprint: number
  /** Steps from the wallet's first key. */
  readonly path: readonly number[]
}

const base58check = createBase58check(sha256)

/** Version bytes of public keys (SLIP 132). `xpub` says nothing about the kind of address. */
const VERSIONS: Readonly<Record<string, { readonly script: string; readonly test: boolean }>> = {
  '0488b21e': { script: 'any', test: false },
  '04b24746': { script: 'wpkh', test: false },
  '043587cf': { script: 'any', test: true },
  '045f1cf6': { script: 'wpkh', test: true },
  '049d7cb2': { script: 'other', test: false },
  '0295b43f': { script: 'other', test: false },
  '02aa7ed3': { script: 'other', test: false },
  '044a5262': { script: 'other', test: true },
  '024289ef': { script: 'other', test: true },
  '02575483': { script: 'other', test: true },
}
const XPUB = Uint8Array.of(0x04, 0x88, 0xb2, 0x1e)
const TPUB = Uint8Array.of(0x04, 0x35, 0x87, 0xcf)

const HARDENED = 0x8000_0000
/** The fingerprint of a first key that a wallet does not know. */
const UNKNOWN = '00000000'

/** An optional origin, the key, and an optional path below it. */
const KEY =
  /^(?:\[([\da-f]{8})((?:\/\d+[h'])+)\])?([1-9A-HJ-NP-Za-km-z]{100,120})(\/(?:<0;1>|\d+)\/\*)?$/i

const bad = (problem: KeyProblem) => refusal('badKey', { problem })

/**
 * Reads a descriptor or an extended public key. Throws `badKey` with the problem; the refusal holds
 * nothing of the text.
 */
export const accountKeyOf = (network: NetworkName, pasted: string, mode: Mode): AccountKey => {
  if (isPrivate(pasted)) throw bad('private')
  const family = networks.find(({ name }) => name === network)?.family
  const { addressOfKey } = chainOf(network)
  if (!addressOfKey) throw bad('underivable')
  const isBitcoin = family === 'bitcoin'
  const [, origin, path = '', encoded = '', below = '/0/*'] = parts(pasted.trim(), isBitcoin)
  if (below.startsWith('/1/')) throw bad('branch')
  if (!/^\/(<0;1>|0)\/\*$/.test(below)) throw bad('unreadable')
  const { key, script, isTest } = decoded(encoded)
  if (isBitcoin ? isTest && mode === 'live' : isTest || script === 'wpkh') throw bad('otherNetwork')
  if (script === 'other') throw bad('script')

  const steps = path
    .split('/')
    .slice(1)
    .map((step) => Number.parseInt(step, 10) + HARDENED)
  checkDepth(key, { steps, isBitcoin, isTest })
  // A bare xpub may be of purpose 44, 49 or 86 as well, whose wallet shows other addresses.
  if (isBitcoin && script === 'any' && steps.length === 0 && !/^wpkh\(/.test(pasted.trim()))
    throw bad('script')
  // Wallets write zeros where they do not know it, and no signer finds its key by them.
  const fingerprint = origin === undefined || origin === UNKNOWN ? null : origin.toLowerCase()
  const from = fingerprint === null ? '' : `[${fingerprint}${path.replaceAll(/['H]/g, 'h')}]`
  const written = isTest ? testKey(key) : key.publicExtendedKey
  const branches = [key.deriveChild(0), key.deriveChild(1)] as const
  const publicKeyAt = (branch: Branch, index: number): Uint8Array => {
    const { publicKey } = branches[branch].deriveChild(index)
    if (!publicKey) throw new Error('an account key has no public key')
    return publicKey
  }
  return {
    extended: base58check.decode(written),
    text: isBitcoin ? `wpkh(${from}${written}/<0;1>/*)` : `${from}${written}`,
    fingerprint,
    name: fingerprint ?? `${written.slice(0, 8)}…${written.slice(-8)}`,
    addressAt: (index) => addressOfKey(publicKeyAt(0, index), isTest),
    changeAt: (index) => addressOfKey(publicKeyAt(1, index), isTest),
    placeOf: (branch, index) =>
      fingerprint === null
        ? undefined
        : {
            publicKey: publicKeyAt(branch, index),
            fingerprint: Number.parseInt(fingerprint, 16),
            path: [...steps, branch, index],
          },
  }
}

/** The parts of the text, after the checks of a descriptor around them. */
const parts = (text: string, isBitcoin: boolean): RegExpExecArray => {
  const [, descriptor = '', script = '', inner = '', checksum] =
    /^((\w+)\((.*)\))(?:#(\w*))?$/.exec(text) ?? []
  if (script !== '') {
    if (!isBitcoin) throw bad('otherNetwork')
    if (checksum !== undefined && checksum !== checksumOf(descriptor)) throw bad('checksum')
    if (script !== 'wpkh') throw bad('script')
  }
  const found = KEY.exec(script === '' ? text : inner)
  if (!found) throw bad('unreadable')
  return found
}

const decoded = (encoded: string) => {
  let bytes: Uint8Array
  try {
    bytes = base58check.decode(encoded)
  } catch {
    throw bad('unreadable')
  }
  const version = VERSIONS[Buffer.from(bytes.slice(0, 4)).toString('hex')]
  if (!version || bytes.length !== 78) throw bad('unreadable')
  bytes.set(XPUB)
  try {
    const key = HDKey.fromExtendedKey(base58check.encode(bytes))
    return { key, script: version.script, isTest: version.test }
  } catch {
    // A point that is not on the curve, for example.
    throw bad('unreadable')
  }
}

type Place = {
  readonly steps: readonly number[]
  readonly isBitcoin: boolean
  readonly isTest: boolean
}

/** Throws `badKey` unless it is an account's key, at the place that its origin says. */
const checkDepth = (key: HDKey, { steps, isBitcoin, isTest }: Place): void => {
  if (steps.length === 0) {
    // Electrum's own wallets have their account at depth 1.
    if (key.depth !== 3 && !(isBitcoin && key.depth === 1)) throw bad('depth')
    return
  }
  const [purpose, coin, account] = steps
  const wanted = isBitcoin ? [84, isTest ? 1 : 0] : [44, 60]
  const isAccount =
    steps.length === 3 &&
    key.depth === 3 &&
    purpose === (wanted[0] ?? 0) + HARDENED &&
    coin === (wanted[1] ?? 0) + HARDENED &&
    account === key.index
  if (!isAccount) throw bad('depth')
}

const testKey = (key: HDKey): string => {
  const bytes = base58check.decode(key.publicExtendedKey)
  bytes.set(TPUB)
  return base58check.encode(bytes)
}
