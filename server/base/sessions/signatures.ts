/**
 * The signatures of a session. SQL that adds a row, revives an ended one or marks one as proven
 * lacks the key, so the row grants nothing (docs/threats.md T36).
 */
import type { Keys } from '../keys/keys.ts'

/** A session was started, or a factor was proven in it. */
type Statement = 'started' | 'proven'

export type SessionMoment = {
  /** The SHA-256 of the token, in hexadecimal. */
  readonly hash: string
  readonly userId: string
  /** The moment by the database's clock, as {@link microsOf} gives it. */
  readonly at: string
}

/** SQL for a moment as text: microseconds since 1970, as exact as the database stores it. */
export const microsOf = (moment: string): string =>
  `(extract(epoch FROM ${moment}) * 1000000)::bigint::text`

const contentOf = (statement: Statement, { hash, userId, at }: SessionMoment): string =>
  JSON.stringify([statement, hash, userId, at])

export const signSession = (keys: Keys, statement: Statement, moment: SessionMoment): string =>
  keys.sign('session', contentOf(statement, moment))

/** True for a signature by a key that is trusted. */
export const isSigned = (
  keys: Keys,
  statement: Statement,
  { mac, ...moment }: SessionMoment & { readonly mac: string | null },
): boolean => keys.verify('session', contentOf(statement, moment), mac ?? '') === 'valid'
