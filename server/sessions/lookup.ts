import { FACTOR_MINUTES, type FactorKind } from '@pool/contract/factors'
import type { RoleType } from '@pool/contract/users'
import type { Pool } from 'pg'
import { batched } from '../db/batch.ts'
import { bytesOf, hashOf, type Session } from './sessions.ts'

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
}

/** Most frequent recording of a use, in milliseconds, so that few reads write. */
const USE_RECORDED_EVERY = 30_000

const CACHED_MS = 25_000
/** Sessions in the cache, at some 300 bytes each. */
const MOST_CACHED = 10_000

type Found = { readonly session: Session; readonly millisecondsSinceUse: number }

/** Queries the database for every call. Simultaneous look-ups share a query. */
export const openSessionLookup = (pool: Pool): SessionLookup => {
  const lookUp = batched((hashes: readonly string[]) => findSessions(pool, hashes))
  const use = batched((hashes: readonly string[]) => useSessions(pool, hashes))

  const cache = new Map<string, { readonly session: Session; readonly until: number }>()

  const find = async (hash: string): Promise<Session | undefined> => {
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
    find: (token) => find(hashOf(token)),
    findCached: async (token) => {
      const hash = hashOf(token)
      const cached = cache.get(hash)
      return cached && performance.now() < cached.until ? cached.session : find(hash)
    },
    peek: async (token) => (await lookUp(hashOf(token)))?.session,
  }
}

type Row = {
  readonly hash: string
  readonly id: string
  readonly username: string
  readonly roles: RoleType[]
  readonly factors: FactorKind[]
  readonly factor_left: number | null
  readonly since_use: number
}

const findSessions = async (
  pool: Pool,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Found>> => {
  const { rows } = await pool.query<Row>({
    name: 'find_sessions',
    text: FIND,
    values: [hashes.map(bytesOf)],
  })
  const now = performance.now()
  return new Map(
    rows.map(({ hash, id, username, roles, factors, factor_left, since_use }) => {
      const factorUntil = factor_left === null ? Number.NEGATIVE_INFINITY : now + factor_left
      const session = { hash, userId: id, username, roles, factors, factorUntil }
      return [hash, { session, millisecondsSinceUse: since_use }]
    }),
  )
}

const FIND = `
  SELECT encode(s.token_hash, 'hex') AS hash, u.id, u.username,
    ARRAY(SELECT role FROM user_roles AS r WHERE r.user_id = u.id AND (u.frozen_at IS NULL OR role = 'USER')) AS roles,
    ARRAY(SELECT DISTINCT kind FROM factors AS f WHERE f.user_id = u.id) AS factors,
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
