/**
 * Challenges that a passkey signs. A challenge carries its own MAC and is stored once it was used,
 * so a stranger who asks for many writes nothing.
 */
import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'

/** Milliseconds for which a challenge can be signed. */
export const CHALLENGE_MS = 300_000

/**
 * The use of a challenge. `signIn` has no user yet. `add` has the hash of its session, whose end
 * ends it.
 */
export type For = {
  readonly purpose: 'add' | 'prove' | 'signIn'
  readonly userId?: string
  readonly session?: string | undefined
}

const contentOf = (until: string, nonce: string, { purpose, userId = '', session }: For): string =>
  [purpose, userId, until, nonce, ...(session === undefined ? [] : [session])].join(' ')

/** Makes a challenge. */
export const newChallenge = (keys: Keys, use: For): string => {
  const until = String(Date.now() + CHALLENGE_MS)
  const nonce = randomBytes(16).toString('base64url')
  return `${until}.${nonce}.${keys.sign('passkey challenge', contentOf(until, nonce, use))}`
}

/** True for a challenge that this product made for this use a moment ago. */
export const isOpen = (keys: Keys, challenge: string, use: For): boolean => {
  const [until = '', nonce = '', mac = ''] = challenge.split('.')
  const verdict = keys.verify('passkey challenge', contentOf(until, nonce, use), mac)
  return verdict === 'valid' && Date.now() < Number(until)
}

/** Uses a signed challenge up. False for the second of two uses. */
export const useChallenge = async (db: Kysely<Schema>, challenge: string): Promise<boolean> => {
  const digest = createHash('sha256').update(challenge).digest()
  const expires_at = sql<Date>`now() + make_interval(secs => ${(2 * CHALLENGE_MS) / 1_000})`
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_challenges')
    .values({ digest, expires_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Deletes used challenges that have run out. Returns their number. */
export const forgetChallenges = async (db: Kysely<Schema>): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('used_challenges')
    .where('expires_at', '<', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
