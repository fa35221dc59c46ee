/**
 * MACs by a secret that the database never holds: whoever can write to the database, or to a
 * backup, cannot make one. Several keys may be there, the newest first: it signs, and the older
 * ones still verify what they signed.
 */
import {
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'

/**
 * Each purpose has a key of its own, derived from the secret: a MAC that was made for one is worth
 * nothing for another.
 */
export type Purpose = 'backup manifest' | 'audit entry' | 'audit seal'

export type Keys = {
  /** The ids of the keys, the newest first. They tell nothing of the keys. */
  readonly ids: readonly string[]
  /**
   * The MAC of a content by the newest key, or by the one with this id: the key's id, a colon, 64
   * hexadecimal digits. Throws when there is none.
   */
  readonly sign: (purpose: Purpose, content: string, id?: string) => string
  readonly verify: (purpose: Purpose, content: string, mac: string) => Verdict
}

export type Verdict = 'valid' | 'wrong' | 'unknownKey'

export type Secret = { readonly id: string; readonly bytes: Buffer }

/** The length of a key, in bytes: that of the digest. */
export const KEY_LENGTH = 32

/** The id of a key follows from it, so that a key which was copied wrongly is found. */
export const idOf = (bytes: Buffer): string =>
  createHash('sha256').update('pool key id\0').update(bytes).digest('hex').slice(0, 8)

/** `secrets` are the keys, the newest first. */
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

  return {
    ids: secrets.map(({ id }) => id),
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
      return given.length === right.length && timingSafeEqual(given, right) ? 'valid' : 'wrong'
    },
  }
}
