/** The play keys of the signer. No other process reads them. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { HDKey } from '@scure/bip32'

/** `MultiSendCallOnly` of a Safe 1.3.0, at its usual address. */
const MULTI_SEND = '0x40a2accbd92bca938b02010e17a5b8929b49130d'

/** The public part of the keys, which the sandbox gives to the product. */
export type PublicFacts = {
  /** The account key, as a descriptor. */
  readonly bitcoin: string
  readonly evm: {
    /** The account key of deposits, with its origin. */
    readonly key: string
    /** A plain key that pays. */
    readonly payer: string
    readonly safe: string
    readonly multiSend: string
  }
}

export type SignerKeys = {
  readonly root: HDKey
  readonly facts: PublicFacts
}

/** The address of a key on EVM networks, in lower case. */
export const evmAddressOf = ({ publicKey }: HDKey): string => {
  const point = secp256k1.Point.fromBytes(publicKey ?? new Uint8Array()).toBytes(false)
  return `0x${bytesToHex(keccak_256(point.slice(1)).slice(-20))}`
}

/** The path of the account of deposits. */
export const DEPOSIT_PATH = "m/44'/60'/0'"

/** The path of the plain key. Deposits have another account. */
export const PAYER_PATH = "m/44'/60'/1'/0/0"

/** Reads the seed of a directory, or makes one. */
export const openKeys = (directory: string): SignerKeys => {
  const file = join(directory, 'seed')
  if (!existsSync(file)) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 })
  }
  const root = HDKey.fromMasterSeed(Buffer.from(readFileSync(file, 'utf8'), 'hex'))
  const fingerprint = root.fingerprint.toString(16).padStart(8, '0')
  const accountOf = (purpose: string) => {
    const { publicExtendedKey } = root.derive(`m/${purpose.replaceAll('h', "'")}`)
    return `[${fingerprint}/${purpose}]${publicExtendedKey}`
  }
  return {
    root,
    facts: {
      bitcoin: `wpkh(${accountOf('84h/0h/0h')}/<0;1>/*)`,
      evm: {
        key: accountOf('44h/60h/0h'),
        payer: evmAddressOf(root.derive(PAYER_PATH)),
        // A Safe is a contract, so no key derives its address.
        safe: evmAddressOf(root.derive("m/44'/60'/2'/0/0")),
        multiSend: MULTI_SEND,
      },
    },
  }
}
