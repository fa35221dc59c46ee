import { createHash } from 'node:crypto'
import type { FactorKind } from '@pool/contract/accounts/factors'
import type { RoleType } from '@pool/contract/accounts/users'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Keys } from '../keys/keys.ts'
import { LONGEST_USER_AGENT, type Origin } from './device.ts'
import { isSigned, microsOf, signSession } from './signatures.ts'
import { newToken } from './tokens.ts'

/** The caller. `hash` identifies the session: the SHA-256 of its token, in hexadecimal. */
export type Session = {
  readonly hash: string
  readonly userId: string
  readonly username: string
  readonly roles: readonly RoleType[]
  /** The owner froze the account. Lifting that ends the sessions of the time. */
  readonly frozen: boolean
  /** The kinds of second factors that the user has. An app of a leaked key counts as none. */
  readonly factors: readonly FactorKind[]
  /** The user has an authenticator app that derives from a leaked key. */
  readonly hasLeakedApp: boolean
  /** A factor was proven in this session, however long ago. Such an app proves nothing. */
  readonly everProven: boolean
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

/** The context of what starts a session or notes a proof. */
export type Signing = { readonly db: Kysely<Schema>; readonly keys: Keys }

const inTransaction = <T>(
  db: Kysely<Schema>,
  work: (transaction: Kysely<Schema>) => Promise<T>,
): Promise<T> => (db.isTransaction ? work(db) : db.transaction().execute(work))

/** Starts a session, signs it and returns its token of 256 random bits. */
export const startSession = (
  { db, keys }: Signing,
  userId: string,
  { ip = '', userAgent = '', factorAt = null }: Start = {},
): Promise<string> =>
  inTransaction(db, async (transaction) => {
    const token = newToken(keys)
    const hash = hashOf(token)
    const { started, proven } = await momentsOf(transaction, factorAt)
    const sign = (statement: 'started' | 'proven', at: string) =>
      signSession(keys, statement, { hash, userId, at })
    await transaction
      .insertInto('sessions')
      .values({
        token_hash: bytesOf(hash),
        user_id: userId,
        ip,
        user_agent: userAgent.slice(0, LONGEST_USER_AGENT),
        factor_at: factorAt,
        mac: sign('started', started),
        factor_mac: proven === null ? null : sign('proven', proven),
      })
      .execute()
    return token
  })

/** The start of the transaction and the moment of a proof, as they are signed. */
const momentsOf = async (transaction: Kysely<Schema>, proof: Start['factorAt'] = null) => {
  const { rows } = await sql<{ started: string; proven: string | null }>`
    SELECT ${sql.raw(microsOf('now()'))} AS started, ${sql.raw(microsOf('proof'))} AS proven
    FROM (SELECT ${proof}::timestamptz AS proof) AS given`.execute(transaction)
  return rows[0] ?? { started: '', proven: null }
}

/** A session as its caller found it. */
type Own = Pick<Session, 'hash' | 'userId'>

/**
 * Notes a factor that was proven in a session just now. Signs the caller's user, so that a row that
 * SQL put in its place meanwhile has no proof.
 */
export const noteFactor = ({ db, keys }: Signing, { hash, userId }: Own): Promise<void> =>
  inTransaction(db, async (transaction) => {
    const { started: at } = await momentsOf(transaction)
    await transaction
      .updateTable('sessions')
      .set({
        factor_at: sql<Date>`now()`,
        factor_mac: signSession(keys, 'proven', { hash, userId, at }),
      })
      .where('token_hash', '=', bytesOf(hash))
      .execute()
  })

/** The moment of the last proven factor in a session, null for one without a signature. */
export const provenAt = async (
  { db, keys }: Signing,
  { hash, userId }: Own,
): Promise<Date | null> => {
  const found = await db
    .selectFrom('sessions')
    .select(['factor_at', 'factor_mac as mac'])
    .select(sql<string | null>`${sql.raw(microsOf('factor_at'))}`.as('at'))
    .where('token_hash', '=', bytesOf(hash))
    .executeTakeFirst()
  if (!found?.factor_at || found.at === null) return null
  const { at, mac, factor_at } = found
  return isSigned(keys, 'proven', { hash, userId, at, mac }) ? factor_at : null
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
