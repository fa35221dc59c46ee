import { createHash, randomBytes } from 'node:crypto'
import type { RoleType } from '@pool/contract/users'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** Who is making a call, as the server knows it. */
export type Session = { readonly userId: string; readonly username: string; readonly roles: readonly RoleType[] }

// Spec threat 20: a session ends after 15 minutes without a call, and after 12 hours whatever happens.
const IDLE_LIFETIME = sql`interval '15 minutes'`
const ABSOLUTE_LIFETIME = sql`interval '12 hours'`
// Use is written down at most this often, so that reading does not become writing.
const USE_RECORDED_EVERY = sql`interval '30 seconds'`

const digest = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Starts a session and returns its token: 256 random bits, of which only a hash is kept. */
export const startSession = async (db: Kysely<Schema>, userId: string): Promise<string> => {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('sessions')
    .values({ token_hash: digest(token), user_id: userId })
    .execute()
  return token
}

/** Looks a session up without using it: looking does not prolong it (threat 20). Undefined when there is none, or it has ended. */
export const peekSession = async (db: Kysely<Schema>, token: string): Promise<Session | undefined> => (await lookUp(db, token))?.session

/** The session of a token, with the roles as they are now, and counts this as a use of it; undefined when there is none, or it has ended. */
export const findSession = async (db: Kysely<Schema>, token: string): Promise<Session | undefined> => {
  const found = await lookUp(db, token)
  if (found?.useIsOld) {
    await db.updateTable('sessions').set({ last_used_at: sql`now()` }).where('token_hash', '=', digest(token)).execute()
  }
  return found?.session
}

const lookUp = async (db: Kysely<Schema>, token: string): Promise<{ session: Session; useIsOld: boolean } | undefined> => {
  const found = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(({ selectFrom }) => [
      'users.id as userId',
      'users.username',
      sql<boolean>`sessions.last_used_at < now() - ${USE_RECORDED_EVERY}`.as('useIsOld'),
      selectFrom('user_roles')
        .whereRef('user_roles.user_id', '=', 'users.id')
        .select(sql<RoleType[]>`array_agg(role)`.as('roles'))
        .as('roles'),
    ])
    .where('token_hash', '=', digest(token))
    .where('users.suspended_at', 'is', null)
    .where(sql<boolean>`sessions.last_used_at > now() - ${IDLE_LIFETIME}`)
    .where(sql<boolean>`sessions.created_at > now() - ${ABSOLUTE_LIFETIME}`)
    .executeTakeFirst()
  if (!found) return undefined
  const { useIsOld, userId, username, roles } = found
  return { session: { userId, username, roles: roles ?? [] }, useIsOld }
}

/** Ends every session of a user, on this server and all others, from the next call on. */
export const endSessionsOf = async (db: Kysely<Schema>, userId: string): Promise<void> => {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

/** Forgets sessions that have ended. Returns how many there were. */
export const forgetEndedSessions = async (db: Kysely<Schema>): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where(({ or }) =>
      or([sql<boolean>`last_used_at <= now() - ${IDLE_LIFETIME}`, sql<boolean>`created_at <= now() - ${ABSOLUTE_LIFETIME}`]),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
