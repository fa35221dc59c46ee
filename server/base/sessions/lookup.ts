import { FACTOR_MINUTES } from '@pool/contract/accounts/factors'
import type { Pool } from 'pg'
import { batched } from '../db/batch.ts'
import type { Keys } from '../keys/keys.ts'
import { findByReadingKey } from './readingKeys.ts'
import { bytesOf, hashOf, type Session } from './sessions.ts'
import { isSigned, microsOf } from './signatures.ts'
import { isMadeUp } from './tokens.ts'

/** Finds the session of a token. */
export type SessionLookup = {
  /** The living session of a token with its current roles. Counts as a use. */
  readonly find: (token: string) => Promise<Session | undefined>
  /**
   * As `find`, but from a cache up to CACHED_MS old. Only for calls that check the session again at
   * their commit (decision 5).
   */
  readonly findCached: (token: string) => Promise<Session | undefined>
  /** As `find`, without counting as a use, so that the session is not prolonged. */
  readonly peek: (token: string) => Promise<Session | undefined>
  /** The holder of a key for reading. Counts as a use. */
  readonly findByKey: (key: string) => Promise<Session | undefined>
}

/** Most frequent recording of a use, in milliseconds, so that few reads write. */
const USE_RECORDED_EVERY = 30_000

const CACHED_MS = 25_000
/** Sessions in the cache, at some 300 bytes each. */
const MOST_CACHED = 10_000

type FoundSession = { readonly session: Session; readonly millisecondsSinceUse: number }

/**
 * Queries the database for every call, and verifies each session. Simultaneous look-ups share a
 * query, and a made-up token costs none.
 */
export const openSessionLookup = (pool: Pool, keys: Keys): SessionLookup => {
  const lookUp = batched((hashes: readonly string[]) => findSessions({ pool, keys }, hashes))
  const use = batched((hashes: readonly string[]) => useSessions(pool, hashes))

  const cache = new Map<string, { readonly session: Session; readonly until: number }>()

  const find = async (token: string): Promise<Session | undefined> => {
    if (isMadeUp(keys, token)) return undefined
    const hash = hashOf(token)
    const found = await lookUp(hash)
    cache.delete(hash)
    if (!found) return undefined
    if (found.millisecondsSinceUse > USE_RECORDED_EVERY) await use(hash)
    const [oldest] = cache.keys()
    if (oldest !== undefined && cache.size >= MOST_CACHED) cache.delete(oldest)
    cache.set(hash, { session: found.session, until: performance.now() + CACHED_MS })
    return found.session
  }

  return {
    find,
    findCached: async (token) => {
      const cached = cache.get(hashOf(token))
      return cached && performance.now() < cached.until ? cached.session : find(token)
    },
    peek: async (token) =>
      isMadeUp(keys, token) ? undefined : (await lookUp(hashOf(token)))?.session,
    findByKey: (key) => findByReadingKey(pool, keys, key),
  }
}

type SessionRow = Omit<Session, 'userId' | 'hasLeakedApp' | 'everProven' | 'factorUntil'> & {
  readonly id: string
  readonly started: string
  readonly mac: string
  readonly proven: string | null
  readonly factor_mac: string | null
  readonly leaked_app: boolean
  readonly factor_left: number | null
  readonly since_use: number
}

const findSessions = async (
  { pool, keys }: { readonly pool: Pool; readonly keys: Keys },
  hashes: readonly string[],
): Promise<ReadonlyMap<string, FoundSession>> => {
  const { rows } = await pool.query<SessionRow>({
    name: 'find_sessions',
    text: FIND,
    values: [hashes.map(bytesOf), [...keys.leaked.keys()]],
  })
  const now = performance.now()
  return new Map(
    rows
      .filter((row) => isOurs(keys, row))
      .map((row) => {
        const { hash, id: userId, username, roles, frozen, factors, since_use } = row
        const everProven = isProven(keys, row)
        const left = everProven ? row.factor_left : null
        const factorUntil = left === null ? Number.NEGATIVE_INFINITY : now + left
        const proof = { factors, hasLeakedApp: row.leaked_app, everProven, factorUntil }
        const session = { hash, userId, username, roles, frozen, ...proof }
        return [hash, { session, millisecondsSinceUse: since_use }]
      }),
  )
}

/** True for a session that the product started. */
const isOurs = (keys: Keys, { hash, id: userId, started: at, mac }: SessionRow): boolean =>
  isSigned(keys, 'started', { hash, userId, at, mac })

/** True for a session in which the product saw a factor proven. */
const isProven = (
  keys: Keys,
  { hash, id: userId, proven: at, factor_mac: mac }: SessionRow,
): boolean => at !== null && isSigned(keys, 'proven', { hash, userId, at, mac })

const FIND = `
  SELECT encode(s.token_hash, 'hex') AS hash, u.id, u.username,
    ${microsOf('s.created_at')} AS started, s.mac,
    ARRAY(SELECT role FROM user_roles AS r WHERE r.user_id = u.id AND (u.frozen_at IS NULL OR role = 'USER')) AS roles,
    u.frozen_at IS NOT NULL AS frozen,
    ARRAY(SELECT DISTINCT kind FROM factors AS f WHERE f.user_id = u.id AND (f.key_id = ANY ($2)) IS NOT TRUE) AS factors,
    EXISTS (SELECT FROM factors AS f WHERE f.user_id = u.id AND f.key_id = ANY ($2::text[])) AS leaked_app,
    ${microsOf('s.factor_at')} AS proven, s.factor_mac,
    extract(epoch FROM s.factor_at + interval '${FACTOR_MINUTES} minutes' - now())::float8 * 1000 AS factor_left,
    extract(epoch FROM now() - s.last_used_at)::float8 * 1000 AS since_use
  FROM sessions AS s JOIN users AS u ON u.id = s.user_id
  WHERE s.token_hash = ANY ($1::bytea[]) AND u.suspended_at IS NULL AND is_living(s)`

// Does not wait for the disk. A power cut may lose the latest uses.
const USE = `SELECT set_config('synchronous_commit', 'off', true), use_sessions($1::bytea[])`

const useSessions = async (
  pool: Pool,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, never>> => {
  await pool.query({ name: 'use_sessions', text: USE, values: [hashes.map(bytesOf)] })
  return new Map<string, never>()
}
