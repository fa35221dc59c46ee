import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { ipRange, subscriberOf } from '../../base/sessions/ipRange.ts'
import { keyOf } from './counts.ts'

/** A sign-in attempt with its email in lower case and its IP address. */
export type Attempt = { readonly username: string; readonly ip: string }

/** A /64 counts as one IP, since one household can use all of it. */
const HOUSEHOLD = 64

const keysOf = ({ username, ip }: Attempt) => {
  const [household, subscriber] = [ipRange(ip, HOUSEHOLD), subscriberOf(ip)]
  // An IPv4 address is its own range.
  const range = subscriber === household ? null : keyOf('range', subscriber)
  return sql`${keyOf('pair', username, household)}, ${keyOf('account', username)}, ${keyOf('address', household)}, ${range}::bytea`
}

/**
 * Counts an attempt before its password check, whether or not the user exists (decision 4).
 * Returns 0, or the minutes to wait.
 */
export const admitAttempt = async (db: Kysely<Schema>, attempt: Attempt): Promise<number> => {
  const { rows } = await sql<{
    seconds: number
  }>`SELECT admit_sign_in(${keysOf(attempt)}) AS seconds`.execute(db)
  return Math.ceil((rows[0]?.seconds ?? 0) / 60)
}

/** Uncounts a successful attempt. Its IP stays open to the user despite attempts from others. */
export const attemptSucceeded = async (db: Kysely<Schema>, attempt: Attempt): Promise<void> => {
  await sql`SELECT sign_in_succeeded(${keysOf(attempt)})`.execute(db)
}

/** Uncounts an attempt whose password was not checked. The next one does not wait for it. */
export const attemptNotMade = async (db: Kysely<Schema>, attempt: Attempt): Promise<void> => {
  await sql`SELECT sign_in_not_made(${keysOf(attempt)})`.execute(db)
}
