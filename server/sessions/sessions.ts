import { createHash, randomBytes } from 'node:crypto'
import type { RoleType } from '@pool/contract/users'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/**
 * The caller, as the server knows it. `hash` names the session: the SHA-256 of its token, in
 * hexadecimal.
 */
export type Session = {
  readonly hash: string
  readonly userId: string
  readonly username: string
  readonly roles: readonly RoleType[]
}

/** Of a token the server stores only this: its SHA-256, in hexadecimal. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
/** A session's hash as its column holds it. */
export const bytesOf = (hash: string): Buffer => Buffer.from(hash, 'hex')

/** Starts a session and returns its token: 256 random bits, of which only a hash is kept. */
export const startSession = async (db: Kysely<Schema>, userId: string): Promise<string> => {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('sessions')
    .values({ token_hash: bytesOf(hashOf(token)), user_id: userId })
    .execute()
  return token
}

/** Ends one session, on every node from the next call on. Returns whether it was still there. */
export const endSession = async (db: Kysely<Schema>, hash: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('token_hash', '=', bytesOf(hash))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/**
 * Ends every session of a user, on every node from the next call on. Returns the hashes of those
 * that ended.
 */
export const endSessionsOf = async (
  db: Kysely<Schema>,
  userId: string,
): Promise<readonly string[]> => {
  const ended = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .returning('token_hash')
    .execute()
  return ended.map(({ token_hash }) => token_hash.toString('hex'))
}

/**
 * Tells whether a session lives, and keeps it living until the transaction ends: whatever ends
 * sessions waits for that. Call it last, so that nothing that ends sessions is held up for long.
 */
export const mayAct = async (transaction: Kysely<Schema>, hash: string): Promise<boolean> => {
  const { rows } = await sql<{
    lives: boolean
  }>`SELECT session_may_act(${bytesOf(hash)}) AS lives`.execute(transaction)
  return rows[0]?.lives === true
}

/** Deletes sessions whose time is over. Returns how many there were. */
export const forgetEndedSessions = async (db: Kysely<Schema>): Promise<number> => {
  const { numAffectedRows } = await sql`DELETE FROM sessions AS s WHERE NOT is_living(s)`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
