/**
 * The tokens of mailed links. A token is a MAC that is derived again when the mail is sent, so that
 * neither the outbox nor a backup holds it.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Keys } from '../../base/keys/keys.ts'

/** The parameters of a link in a mail: what its token is derived from, beside the key. */
export const linkSchema = z.object({ id: z.uuid(), keyId: z.string() })
export type Link = z.infer<typeof linkSchema>

/** A link with this id, signed by the newest key. */
export const linkOf = ({ ids }: Keys, id: string): Link => ({ id, keyId: ids[0] ?? '' })

/** The token of a link: 256 bits that only the holder of the key can derive. */
export const tokenOf = (keys: Keys, { id, keyId }: Link): string => {
  const [, mac = ''] = keys.sign('mail link', id, keyId).split(':')
  return Buffer.from(mac, 'hex').toString('base64url')
}

/** True for a token that one of the keys derives for this link, unless that key leaked. */
export const isDerived = (keys: Keys, id: string, token: string): boolean =>
  keys.ids.some((keyId) => !keys.leaked.has(keyId) && tokenOf(keys, { id, keyId }) === token)

/** SHA-256 of a token, the only part of it that the table stores. */
export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest()
