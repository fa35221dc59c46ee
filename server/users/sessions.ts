import { createHash, randomBytes } from 'node:crypto'
import type { RoleType } from '@pool/contract/users'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** Who is making a call, as the server knows it. */
export type Session = { readonly userId: string; readonly username: string; readonly roles: readonly RoleType[] }

// Spec threat 20: a session ends after 15 minutes without a call, and after 12 hours whatever happens.
export const IDLE_LIFETIME = '15 minutes'
export const ABSOLUTE_LIFETIME = '12 hours'
/** Of a token only this is kept. */
export const digest = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Starts a session and returns its token: 256 random bits, of which only a hash is kept. */
export const startSession = async (db: Kysely<Schema>, userId: string): Promise<string> => {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('sessions')
    .values({ token_hash: digest(token), user_id: userId })
    .execute()
  return token
}

/** Ends every session of a user, on this server and all others, from the next call on. Takes half a second (docs/decisions/005). */
export const endSessionsOf = async (db: Kysely<Schema>, userId: string): Promise<void> => {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

/** Forgets sessions that have ended. Returns how many there were. */
export const forgetEndedSessions = async (db: Kysely<Schema>): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where(({ or }) =>
      or([
        sql<boolean>`last_used_at <= now() - ${IDLE_LIFETIME}::interval`,
        sql<boolean>`created_at <= now() - ${ABSOLUTE_LIFETIME}::interval`,
      ]),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
