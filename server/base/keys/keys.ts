/**
 * MACs with a secret that the database never holds, so write access to it forges none. The newest
 * key signs. Older keys still verify, but for one that leaked (docs/decisions/042).
 */
import {
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import { signingKeyOf } from './signing.ts'

/** Each purpose derives its own key, so a MAC of one purpose is invalid for another. */
export type Purpose =
  | 'backup manifest'
  | 'archived month'
  | 'audit entry'
  | 'audit seal'
  | 'mail link'
  | 'totp secret'
  | 'totp enrolment'
  | 'loan confirmation'
  | 'loan tape'
  | 'liability salts'
  | 'passkey challenge'
  | 'pool mode'
  | 'session'
  | 'reading key'
  | 'token'
  | 'pool figures'

/** A place in the audit chain, with the hash there. */
export type Mark = { readonly position: bigint; readonly hash: string }

export type Keys = {
  /** Ids of the keys, newest first. They reveal nothing of the keys. */
  readonly ids: readonly string[]
  /** The leaked keys, each with the last place of the audit chain where it is still believed. */
  readonly leaked: ReadonlyMap<string, Mark>
  /**
   * MAC of a content by the newest key or the one with this id, as `id:64 hexadecimal digits`.
   * Throws when there is no such key.
   */
  readonly sign: (purpose: Purpose, content: string, id?: string) => string
  readonly verify: (purpose: Purpose, content: string, mac: string) => Verdict
  /** The keys that everybody gets, newest first. */
  readonly publicKeys: readonly PublicKey[]
  /** Signature of a text by the newest key, which everybody can check. */
  readonly signPublicly: (text: string) => PublicSignature
}

/** A public key of Ed25519, 32 bytes in base64url. */
export type PublicKey = {
  readonly id: string
  readonly publicKey: string
  readonly isLeaked: boolean
}

/** A signature of Ed25519, 64 bytes in base64url. */
export type PublicSignature = { readonly keyId: string; readonly signature: string }

/** `leaked` is a right MAC by a key that leaked, which its thief may have made. */
export type Verdict = 'valid' | 'leaked' | 'wrong' | 'unknownKey'

export type Secret = { readonly id: string; readonly bytes: Buffer; readonly leaked?: Mark }

/** Key length in bytes, equal to the digest's. */
export const KEY_LENGTH = 32

/** The id of the key that made a MAC. */
export const keyIdOf = (mac: string): string => mac.split(':')[0] ?? ''

/** Derives a key's id from the key, so that a wrong copy is detected. */
export const idOf = (bytes: Buffer): string =>
  createHash('sha256').update('pool key id\0').update(bytes).digest('hex').slice(0, 8)

/** `secrets` are the keys, newest first. */
export const keysOf = (secrets: readonly Secret[]): Keys => {
  const derived = new Map<string, KeyObject>()

  const keyFor = (purpose: Purpose, { id, bytes }: Secret): KeyObject => {
    const name = `${id} ${purpose}`
    const known = derived.get(name)
    if (known) return known
    const key = createSecretKey(createHmac('sha256', bytes).update(`pool ${purpose} v1`).digest())
    derived.set(name, key)
    return key
  }
  const macBy = (secret: Secret, purpose: Purpose, content: string): string =>
    `${secret.id}:${createHmac('sha256', keyFor(purpose, secret)).update(content).digest('hex')}`

  const signing = secrets.map(({ id, bytes, leaked }) => ({
    id,
    isLeaked: leaked !== undefined,
    key: signingKeyOf(bytes),
  }))

  return {
    ids: secrets.map(({ id }) => id),
    leaked: new Map(secrets.flatMap(({ id, leaked }) => (leaked ? [[id, leaked]] : []))),
    sign: (purpose, content, keyId = secrets[0]?.id) => {
      const secret = secrets.find(({ id }) => id === keyId)
      if (!secret) throw new Error('There is no key to sign with.')
      return macBy(secret, purpose, content)
    },
    verify: (purpose, content, mac) => {
      const secret = secrets.find(({ id }) => mac.startsWith(`${id}:`))
      if (!secret) return 'unknownKey'
      const right = Buffer.from(macBy(secret, purpose, content))
      const given = Buffer.from(mac)
      if (given.length !== right.length || !timingSafeEqual(given, right)) return 'wrong'
      return secret.leaked ? 'leaked' : 'valid'
    },
    publicKeys: signing.map(({ id, isLeaked, key: { publicKey } }) => ({
      id,
      publicKey,
      isLeaked,
    })),
    signPublicly: (text) => {
      const [newest] = signing
      if (!newest) throw new Error('There is no key to sign with.')
      return { keyId: newest.id, signature: newest.key.signText(text) }
    },
  }
}
