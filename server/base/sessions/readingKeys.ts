/** Keys for reading: their rows, their signatures and who holds one (docs/product.md 3.42). */
import { MOST_READING_KEYS, READING_KEY } from '@pool/contract/accounts/readingKeys'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import { newId } from '../db/ids.ts'
import type { Schema } from '../db/schema.ts'
import type { Keys } from '../keys/keys.ts'
import { bytesOf, hashOf, type Session } from './sessions.ts'
import { microsOf } from './signatures.ts'
import { isMadeUp, newToken } from './tokens.ts'

type Signed = {
  /** The SHA-256 of the key, in hexadecimal. */
  readonly hash: string
  readonly userId: string
  /** Moments as {@link microsOf} gives them. */
  readonly madeAt: string
  readonly endsAt: string
}

const contentOf = ({ hash, userId, madeAt, endsAt }: Signed): string =>
  JSON.stringify([hash, userId, madeAt, endsAt])

type Making = { readonly userId: string; readonly name: string; readonly days: number }

/**
 * Makes a key of 256 random bits, which only its digest outlives. Locks the user's row, so that two
 * calls at once make no eleventh. Throws `tooManyReadingKeys`.
 */
export const insertReadingKey = async (
  { db, keys }: { readonly db: Kysely<Schema>; readonly keys: Keys },
  { userId, name, days }: Making,
) => {
  // Its own statement: one that waited for the lock would count by its snapshot from before.
  await sql`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`.execute(db)
  const { rows } = await sql<{ living: number; madeAt: string; endsAt: string; ends: Date }>`
    SELECT (SELECT count(*)::int FROM reading_keys WHERE user_id = ${userId} AND ends_at > now()) AS living,
      ${sql.raw(microsOf('now()'))} AS "madeAt", ${sql.raw(microsOf('ends'))} AS "endsAt", ends
    FROM (SELECT now() + make_interval(days => ${days}) AS ends) AS given`.execute(db)
  const [{ living, madeAt, endsAt, ends }] = rows as [(typeof rows)[number]]
  if (living >= MOST_READING_KEYS) throw refusal('tooManyReadingKeys')
  const key = READING_KEY + newToken(keys)
  const [id, hash] = [newId(), hashOf(key)]
  await db
    .insertInto('reading_keys')
    .values({
      id,
      user_id: userId,
      name,
      token_hash: bytesOf(hash),
      // To the microsecond that is signed, which a Date has not.
      ends_at: sql<Date>`now() + make_interval(days => ${days})`,
      mac: keys.sign('reading key', contentOf({ hash, userId, madeAt, endsAt })),
    })
    .execute()
  return { id, key, ends }
}

/** Ends all keys of a user, or one. Returns the names of those that worked. */
export const endReadingKeysOf = async (
  db: Kysely<Schema>,
  userId: string,
  id?: string,
): Promise<readonly string[]> => {
  const ended = await db
    .deleteFrom('reading_keys')
    .where('user_id', '=', userId)
    .$if(id !== undefined, (rows) => rows.where('id', '=', id ?? ''))
    .returning(['name', sql<boolean>`ends_at > now()`.as('worked')])
    .execute()
  return ended.filter(({ worked }) => worked).map(({ name }) => name)
}

/** Deletes keys whose time is over and returns their number. */
export const forgetEndedReadingKeys = async (db: Kysely<Schema>): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('reading_keys')
    .where('ends_at', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

type ReadingKeyRow = Omit<Signed, 'userId'> & {
  readonly id: string
  readonly username: string
  readonly mac: string
  readonly isFresh: boolean
}

// A frozen or suspended account has none that works. A use is recorded each half a minute.
const FIND = `
  SELECT encode(k.token_hash, 'hex') AS hash, u.id, u.username, k.mac,
    ${microsOf('k.made_at')} AS "madeAt", ${microsOf('k.ends_at')} AS "endsAt",
    coalesce(k.last_used_at > now() - interval '30 seconds', false) AS "isFresh"
  FROM reading_keys AS k JOIN users AS u ON u.id = k.user_id
  WHERE k.token_hash = $1 AND k.ends_at > now() AND u.suspended_at IS NULL AND u.frozen_at IS NULL AND u.closed_at IS NULL`

// Does not wait for the disk. A power cut may lose the latest uses.
const USE = `
  UPDATE reading_keys SET last_used_at = now()
  WHERE token_hash = $1 AND set_config('synchronous_commit', 'off', true) IS NOT NULL`

/**
 * The holder of a key, without any role but that of a user, or undefined. Counts as a use. No cache
 * stands before the database, so an ended key works on no node.
 */
export const findByReadingKey = async (
  pool: Pool,
  keys: Keys,
  key: string,
): Promise<Session | undefined> => {
  if (isMadeUp(keys, key.slice(READING_KEY.length))) return undefined
  const hash = hashOf(key)
  const { rows } = await pool.query<ReadingKeyRow>({
    name: 'find_reading_key',
    text: FIND,
    values: [bytesOf(hash)],
  })
  const [row] = rows
  if (!row) return undefined
  const { id: userId, username, madeAt, endsAt, mac, isFresh } = row
  const content = contentOf({ hash, userId, madeAt, endsAt })
  if (keys.verify('reading key', content, mac) !== 'valid') return undefined
  if (!isFresh) await pool.query({ name: 'use_reading_key', text: USE, values: [bytesOf(hash)] })
  return {
    hash,
    userId,
    username,
    roles: ['USER'],
    frozen: false,
    factors: [],
    hasLeakedApp: false,
    everProven: false,
    factorUntil: 0,
  }
}
