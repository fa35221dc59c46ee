import type { RoleType } from '@pool/contract/users'
import type { Pool } from 'pg'
import { gathered } from '../db/gather.ts'
import { type Kept, keepSessions } from './sessionCache.ts'
import { ABSOLUTE_LIFETIME, digest, LIVING, type Session } from './sessions.ts'

/** Who holds a token. */
export type SessionLookup = {
  /** The session of a token, with the roles as they are now, and counts this as a use of it; undefined when there is none, or it has ended. */
  readonly find: (token: string) => Promise<Session | undefined>
  /** The same without using it: looking does not prolong it (threat 20). */
  readonly peek: (token: string) => Promise<Session | undefined>
}

/** Use is written down at most this often, in milliseconds, so that reading does not become writing. */
const USE_RECORDED_EVERY = 30_000
/** The longest that a session is kept, in milliseconds. */
const KEPT_FOR = 10_000

type Found = { readonly session: Session /** In milliseconds. */; readonly sinceUse: number; readonly untilEnd: number }

/** Looks sessions up: those that are asked for together in one question, those asked for lately in memory, for as long as that is safe. */
export const openSessionLookup = (pool: Pool): SessionLookup => {
  const cache = keepSessions(pool)
  const lookUp = gathered((hashes: readonly string[]) => findSessions(pool, hashes))
  const use = gathered((hashes: readonly string[]) => useSessions(pool, hashes))

  const findAnew = async (hash: string): Promise<Session | undefined> => {
    const asked = performance.now()
    const keep = cache.keep()
    const found = await lookUp(hash)
    if (!found) return undefined
    const useIsOld = found.sinceUse > USE_RECORDED_EVERY
    if (useIsOld) await use(hash)
    // Until then its use need not be written down either, so nothing is missed by not asking the database.
    const quiet = useIsOld ? USE_RECORDED_EVERY : USE_RECORDED_EVERY - found.sinceUse
    keep(hash, { session: found.session, until: asked + Math.min(KEPT_FOR, quiet, found.untilEnd) } satisfies Kept)
    return found.session
  }

  return {
    find: async (token) => {
      const hash = digest(token).toString('hex')
      return cache.find(hash) ?? findAnew(hash)
    },
    peek: async (token) => (await lookUp(digest(token).toString('hex')))?.session,
  }
}

const bytes = (hashes: readonly string[]): Buffer[] => hashes.map((hash) => Buffer.from(hash, 'hex'))

type Row = {
  readonly hash: string
  readonly id: string
  readonly username: string
  readonly roles: RoleType[]
  readonly since_use: number
  readonly until_end: number
}

/** The lists of roles that people have, each once: tens of thousands of sessions are kept, and hardly two lists among them differ. */
const roleLists = new Map<string, readonly RoleType[]>()
const shared = (roles: readonly RoleType[]): readonly RoleType[] => {
  const key = roles.join()
  const known = roleLists.get(key) ?? roles
  roleLists.set(key, known)
  return known
}

const findSessions = async (pool: Pool, hashes: readonly string[]): Promise<ReadonlyMap<string, Found>> => {
  const { rows } = await pool.query<Row>({ name: 'find_sessions', text: FIND, values: [bytes(hashes)] })
  return new Map(
    rows.map(({ hash, id, username, roles, since_use, until_end }) => [
      hash,
      { session: { userId: id, username, roles: shared(roles) }, sinceUse: since_use, untilEnd: until_end },
    ]),
  )
}

const FIND = `
  SELECT encode(s.token_hash, 'hex') AS hash, u.id, u.username,
    ARRAY(SELECT role FROM user_roles AS r WHERE r.user_id = u.id) AS roles,
    extract(epoch FROM now() - s.last_used_at)::float8 * 1000 AS since_use,
    extract(epoch FROM s.created_at + interval '${ABSOLUTE_LIFETIME}' - now())::float8 * 1000 AS until_end
  FROM sessions AS s JOIN users AS u ON u.id = s.user_id
  WHERE s.token_hash = ANY ($1::bytea[]) AND u.suspended_at IS NULL
    AND ${LIVING}`

// Reading does not wait for the disk: if the machine loses its power within the second, a session was used for the last time somewhat earlier.
const USE = `SELECT set_config('synchronous_commit', 'off', true), use_sessions($1::bytea[])`

const useSessions = async (pool: Pool, hashes: readonly string[]): Promise<ReadonlyMap<string, never>> => {
  await pool.query({ name: 'use_sessions', text: USE, values: [bytes(hashes)] })
  return new Map<string, never>()
}
