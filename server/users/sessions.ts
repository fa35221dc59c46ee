import { createHash, randomBytes } from 'node:crypto'
import type { RoleType } from '@pool/contract/users'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** Who is making a call, as the server knows it. */
export type Session = { readonly userId: string; readonly username: string; readonly roles: readonly RoleType[] }

// Spec threat 20: a session ends after 15 minutes without a call, and after 12 hours whatever happens.
const IDLE_LIFETIME = '15 minutes'
export const ABSOLUTE_LIFETIME = '12 hours'
/** SQL for whether a session has not ended. One that was used in the future is from a clock that has been set back: it would live for too long. */
export const LIVING = `s.last_used_at > now() - interval '${IDLE_LIFETIME}' AND s.created_at > now() - interval '${ABSOLUTE_LIFETIME}'
  AND s.last_used_at <= now() + interval '1 minute'`
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
  const { numAffectedRows } = await sql`DELETE FROM sessions AS s WHERE NOT (${sql.raw(LIVING)})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
