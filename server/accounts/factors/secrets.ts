/**
 * Secrets of authenticator apps. Each is derived from the key file and the ids of the factor and
 * its user, so that no table and no backup holds it (docs/decisions/027).
 */
import { base32nopad } from '@scure/base'
import { newId } from '../../base/db/ids.ts'
import type { Keys } from '../../base/keys/keys.ts'

/** 160 bits, as RFC 4226 advises. All apps take that many. */
const SECRET_BYTES = 20

/** The place of a secret: its factor, and the key from which it is derived. */
export type Place = { readonly id: string; readonly keyId: string }

/** The secret at a place. Undefined when its key is lost. */
export const secretOf = (keys: Keys, userId: string, { id, keyId }: Place): Buffer | undefined => {
  if (!keys.ids.includes(keyId)) return undefined
  const [, mac = ''] = keys.sign('totp secret', `${userId} ${id}`, keyId).split(':')
  return Buffer.from(mac, 'hex').subarray(0, SECRET_BYTES)
}

/** True for an app that derives from a leaked key. A passkey has no key of ours. */
export const isLeaked = (keys: Keys, keyId: string | null): boolean => keys.leaked.has(keyId ?? '')

/** A new place, at the newest key. */
export const newPlace = ({ ids }: Keys): Place => ({ id: newId(), keyId: ids[0] ?? '' })

/** A secret as people type it. */
export const base32Of = (secret: Buffer): string => base32nopad.encode(secret)

/** The URI that authenticator apps scan. */
export const otpauthUri = (secret: Buffer, product: string, username: string): string => {
  const label = `${encodeURIComponent(product)}:${encodeURIComponent(username)}`
  const parameters = new URLSearchParams({ secret: base32Of(secret), issuer: product })
  // Apps show a plus sign as it is.
  return `otpauth://totp/${label}?${String(parameters).replaceAll('+', '%20')}`
}
