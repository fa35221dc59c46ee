import { createHash } from 'node:crypto'
import { refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { ipRange } from '../sessions/ipRange.ts'

/** An attempt to sign in: the email in lower case, and the address that it came from. */
export type Attempt = { readonly username: string; readonly address: string }

/** A household's IPv6 addresses are one: whoever has a /64 can take another each time. */
const HOUSEHOLD = 64

/**
 * Joins what one subscriber may have of IPv6: anybody can get a /48, and 65,536 networks with it.
 */
const SUBSCRIBER = 48
/**
 * Registrations that are admitted from one range in an hour: each tells whether an email has an
 * account.
 */
const REGISTRATIONS_PER_HOUR = 10

/** Rows that stay after a clean-up at the most; who was known longest ago goes last. */
const MOST_ROWS = 500_000

const digest = (...parts: readonly string[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest()

const keysOf = ({ username, address }: Attempt) => {
  const range = ipRange(address, HOUSEHOLD)
  return sql`${digest('pair', username, range)}, ${digest('account', username)}, ${digest('address', range)}`
}

/**
 * Counts an attempt before its password is looked at. Throws `tooManySignIns`, with the minutes to
 * wait, and then no password may be looked at. Nothing here depends on whether the account exists
 * (docs/decisions/004).
 */
export const admitAttempt = async (db: Kysely<Schema>, attempt: Attempt): Promise<void> => {
  const { rows } = await sql<{
    seconds: number
  }>`SELECT admit_login(${keysOf(attempt)}) AS seconds`.execute(db)
  const seconds = rows[0]?.seconds ?? 0
  if (seconds > 0) throw refusal('tooManySignIns', { minutes: Math.ceil(seconds / 60) })
}

/**
 * The attempt had the right password: it no longer counts, and from its address the account can be
 * opened whatever others try.
 */
export const attemptSucceeded = async (db: Kysely<Schema>, attempt: Attempt): Promise<void> => {
  await sql`SELECT login_succeeded(${keysOf(attempt)})`.execute(db)
}

/**
 * Counts a registration before anything of it is looked up, for all nodes. Throws
 * `tooManyRegistrations`, with the minutes to wait: a refusal tells that an email has an account,
 * so nobody is to ask for many.
 */
export const admitRegistration = async (db: Kysely<Schema>, address: string): Promise<void> => {
  const source = digest('registration', ipRange(address, SUBSCRIBER))
  const { rows } = await sql<{
    seconds: number
  }>`SELECT admit_registration(${source}, ${REGISTRATIONS_PER_HOUR}) AS seconds`.execute(db)
  const seconds = rows[0]?.seconds ?? 0
  if (seconds > 0) throw refusal('tooManyRegistrations', { minutes: Math.ceil(seconds / 60) })
}

/**
 * Forgets counts that hold nobody up any more, and what is too much to keep. Returns how many there
 * were.
 */
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
