import type { RoleType } from '@pool/contract/users'
import type { Pool } from 'pg'
import { gathered } from '../db/batch.ts'
import { bytesOf, hashOf, type Session } from './sessions.ts'

/** Finds the session of a token. */
export type SessionLookup = {
  /** The living session of a token, with the roles of this moment. Counts as a use of it. */
  readonly find: (token: string) => Promise<Session | undefined>
  /**
   * The same, up to RECALLED_MS old. For calls that look at the session again in the transaction
   * that writes: they spare a query (decision 5).
   */
  readonly recall: (token: string) => Promise<Session | undefined>
  /** The same without counting as a use: looking does not prolong a session. */
  readonly peek: (token: string) => Promise<Session | undefined>
}

/**
 * Writes a use down at most this often, in milliseconds, so that reading does not become writing.
 */
const USE_RECORDED_EVERY = 30_000

const RECALLED_MS = 5_000
/** Sessions to recall, at some 300 bytes each. */
const MOST_RECALLED = 10_000

type Found = { readonly session: Session; readonly millisecondsSinceUse: number }

/** Asks the database for every call: sessions that are wanted at the same time share one query. */
export const openSessionLookup = (pool: Pool): SessionLookup => {
  const lookUp = gathered((hashes: readonly string[]) => findSessions(pool, hashes))
  const use = gathered((hashes: readonly string[]) => useSessions(pool, hashes))

  const recent = new Map<string, { readonly session: Session; readonly until: number }>()

  const find = async (hash: string): Promise<Session | undefined> => {
    const found = await lookUp(hash)
    recent.delete(hash)
    if (!found) return undefined
    if (found.millisecondsSinceUse > USE_RECORDED_EVERY) await use(hash)
    const [oldest] = recent.keys()
    if (oldest !== undefined && recent.size >= MOST_RECALLED) recent.delete(oldest)
    recent.set(hash, { session: found.session, until: performance.now() + RECALLED_MS })
    return found.session
  }

  return {
    find: (token) => find(hashOf(token)),
    recall: async (token) => {
      const hash = hashOf(token)
      const known = recent.get(hash)
      return known && performance.now() < known.until ? known.session : find(hash)
    },
    peek: async (token) => (await lookUp(hashOf(token)))?.session,
  }
}

type Row = {
  readonly hash: string
  readonly id: string
  readonly username: string
  readonly roles: RoleType[]
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
  return new Map(
    rows.map(({ hash, id, username, roles, since_use }) => [
      hash,
      { session: { hash, userId: id, username, roles }, millisecondsSinceUse: since_use },
    ]),
  )
}

const FIND = `
  SELECT encode(s.token_hash, 'hex') AS hash, u.id, u.username,
    ARRAY(SELECT role FROM user_roles AS r WHERE r.user_id = u.id) AS roles,
    extract(epoch FROM now() - s.last_used_at)::float8 * 1000 AS since_use
  FROM sessions AS s JOIN users AS u ON u.id = s.user_id
  WHERE s.token_hash = ANY ($1::bytea[]) AND u.suspended_at IS NULL AND is_living(s)`

// Does not wait for the disk: after a power cut a session was last used somewhat earlier.
const USE = `SELECT set_config('synchronous_commit', 'off', true), use_sessions($1::bytea[])`

const useSessions = async (
  pool: Pool,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, never>> => {
  await pool.query({ name: 'use_sessions', text: USE, values: [hashes.map(bytesOf)] })
  return new Map<string, never>()
}
