import { createHash } from 'node:crypto'
import { refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { ipRange } from '../sessions/ipRange.ts'

/** A sign-in attempt with its email in lower case and its IP address. */
export type Attempt = { readonly username: string; readonly ip: string }

/** A /64 counts as one IP, since one household can use all of it. */
const HOUSEHOLD = 64

/** A /48 counts as one subscriber, since each customer can get one with 65,536 networks. */
const SUBSCRIBER = 48
/** Admitted registrations per range in an hour. Each may reveal a user. */
const REGISTRATIONS_PER_HOUR = 10

/** Most rows after a clean-up. Deletes those with the oldest success first. */
const MOST_ROWS = 500_000

const digest = (...parts: readonly string[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest()

const keysOf = ({ username, ip }: Attempt) => {
  const range = ipRange(ip, HOUSEHOLD)
  return sql`${digest('pair', username, range)}, ${digest('account', username)}, ${digest('address', range)}`
}

/**
 * Counts an attempt before its password check, whether or not the user exists (decision 4).
 * Throws `tooManySignIns` with the minutes to wait.
 */
export const admitAttempt = async (db: Kysely<Schema>, attempt: Attempt): Promise<void> => {
  const { rows } = await sql<{
    seconds: number
  }>`SELECT admit_login(${keysOf(attempt)}) AS seconds`.execute(db)
  const seconds = rows[0]?.seconds ?? 0
  if (seconds > 0) throw refusal('tooManySignIns', { minutes: Math.ceil(seconds / 60) })
}

/** Uncounts a successful attempt. Its IP stays open to the user despite attempts from others. */
export const attemptSucceeded = async (db: Kysely<Schema>, attempt: Attempt): Promise<void> => {
  await sql`SELECT login_succeeded(${keysOf(attempt)})`.execute(db)
}

/**
 * Counts a registration for all nodes, before any look-up, since a refusal reveals a user.
 * Throws `tooManyRegistrations` with the minutes to wait.
 */
export const admitRegistration = async (db: Kysely<Schema>, ip: string): Promise<void> => {
  const source = digest('registration', ipRange(ip, SUBSCRIBER))
  const { rows } = await sql<{
    seconds: number
  }>`SELECT admit_registration(${source}, ${REGISTRATIONS_PER_HOUR}) AS seconds`.execute(db)
  const seconds = rows[0]?.seconds ?? 0
  if (seconds > 0) throw refusal('tooManyRegistrations', { minutes: Math.ceil(seconds / 60) })
}

/** Deletes expired counts and the surplus above `mostRows`. Returns their number. */
export const forgetOldAttempts = async (
  db: Kysely<Schema>,
  mostRows = MOST_ROWS,
): Promise<number> => {
  const old = await sql`
    DELETE FROM login_throttles
    WHERE last_at < now() - interval '1 day' AND (succeeded_at IS NULL OR succeeded_at < now() - interval '90 days')`.execute(
    db,
  )
  const surplus = await sql`
    DELETE FROM login_throttles WHERE key IN (
      SELECT key FROM login_throttles ORDER BY succeeded_at DESC NULLS LAST, last_at DESC OFFSET ${mostRows})`.execute(
    db,
  )
  return Number(old.numAffectedRows ?? 0) + Number(surplus.numAffectedRows ?? 0)
}
