/**
 * Tokens of sessions and keys for reading. Their mark lets the server refuse a made-up one without
 * a query. It grants nothing more: rows have signatures of their own (docs/threats.md T116).
 */
import { randomBytes } from 'node:crypto'
import type { Keys } from '../keys/keys.ts'

/** 256 random bits, then the id of a key of the key file and 64 bits of its MAC of the former. */
const MARKED = /^([\w-]{43})([0-9a-f]{8})[0-9a-f]{16}$/
const MAC_DIGITS = 16

const markOf = (keys: Keys, random: string, keyId?: string): string => {
  const [id = '', mac = ''] = keys.sign('token', random, keyId).split(':')
  return id + mac.slice(0, MAC_DIGITS)
}

export const newToken = (keys: Keys): string =>
  markedToken(keys, randomBytes(32).toString('base64url'))

/** The token of these 43 characters of base64url. */
export const markedToken = (keys: Keys, random: string): string => random + markOf(keys, random)

/** True for a text without a mark by a key of the file. */
export const isMadeUp = (keys: Keys, token: string): boolean => {
  const [, random, id] = MARKED.exec(token) ?? []
  if (random === undefined || id === undefined) return true
  return !keys.ids.includes(id) || !token.endsWith(markOf(keys, random, id))
}
