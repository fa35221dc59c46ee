import { createHash, randomBytes } from 'node:crypto'
import type { FactorKind } from '@pool/contract/factors'
import type { RoleType } from '@pool/contract/users'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { LONGEST_USER_AGENT, type Origin } from './device.ts'

/** The caller. `hash` identifies the session: the SHA-256 of its token, in hexadecimal. */
export type Session = {
  readonly hash: string
  readonly userId: string
  readonly username: string
  readonly roles: readonly RoleType[]
  /** The kinds of second factors that the user has. */
  readonly factors: readonly FactorKind[]
  /** End of the last proven factor, in this process's `performance.now()`. */
  readonly factorUntil: number
}

/** SHA-256 of a token in hexadecimal, the only part of it that the server stores. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
/** A session's hash as bytes of its column. */
export const bytesOf = (hash: string): Buffer => Buffer.from(hash, 'hex')

type Start = Partial<Origin> & {
  /** The moment of a proven factor. */
  readonly factorAt?: Date | RawBuilder<Date> | null
}

/** Starts a session and returns its token of 256 random bits. */
export const startSession = async (
  db: Kysely<Schema>,
  userId: string,
  { ip = '', userAgent = '', factorAt = null }: Start = {},
): Promise<string> => {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('sessions')
    .values({
      token_hash: bytesOf(hashOf(token)),
      user_id: userId,
      ip,
      user_agent: userAgent.slice(0, LONGEST_USER_AGENT),
      factor_at: factorAt,
    })
    .execute()
  return token
}

/** Notes a factor that was proven in a session just now. */
export const noteFactor = async (db: Kysely<Schema>, hash: string): Promise<void> => {
  await db
    .updateTable('sessions')
    .set({ factor_at: sql<Date>`now()` })
    .where('token_hash', '=', bytesOf(hash))
    .execute()
}

/** Ends one session, on every node from the next call on. Returns false when it was gone. */
export const endSession = async (db: Kysely<Schema>, hash: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('token_hash', '=', bytesOf(hash))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/**
 * Ends every session of a user but `kept`, on every node from the next call on. Returns their
 * hashes.
 */
export const endSessionsOf = async (
  db: Kysely<Schema>,
  userId: string,
  kept?: string,
): Promise<readonly string[]> => {
  const ended = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(kept !== undefined, (sessions) => sessions.where('token_hash', '<>', bytesOf(kept ?? '')))
    .returning('token_hash')
    .execute()
  return ended.map(({ token_hash }) => token_hash.toString('hex'))
}

/**
 * True when a session lives. Keeps it alive until the transaction ends. Call it last, because
 * ending a session waits for the commit.
 */
export const mayAct = async (transaction: Kysely<Schema>, hash: string): Promise<boolean> => {
  const { rows } = await sql<{
    lives: boolean
  }>`SELECT session_may_act(${bytesOf(hash)}) AS lives`.execute(transaction)
  return rows[0]?.lives === true
}

/** Deletes expired sessions and returns their number. */
export const forgetEndedSessions = async (db: Kysely<Schema>): Promise<number> => {
  const { numAffectedRows } = await sql`DELETE FROM sessions AS s WHERE NOT is_living(s)`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
