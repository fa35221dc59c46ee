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
/** Mails about forgotten passwords in an hour: to one email, and asked for by one range. */
const RESETS_PER_HOUR = { email: 3, range: 10 } as const
/** Links for email addresses in an hour: of one user, to one email, and asked for by one range. */
const EMAIL_LINKS_PER_HOUR = { user: 5, email: 3, range: 10 } as const
/** Most wrong codes for a user, by the span of time in which they are counted. */
const GUESSES = { '1 minute': 10, '1 day': 100 } as const

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
  const minutes = await minutesToWait(db, source, REGISTRATIONS_PER_HOUR, '1 hour')
  if (minutes > 0) throw refusal('tooManyRegistrations', { minutes })
}

/**
 * Counts a forgotten password for all nodes, whether or not the user exists, since each may send a
 * mail. Throws `tooManyResets` with the minutes to wait.
 */
export const admitReset = async (db: Kysely<Schema>, { username, ip }: Attempt): Promise<void> => {
  for (const [source, most] of [
    [digest('reset', ipRange(ip, SUBSCRIBER)), RESETS_PER_HOUR.range],
    [digest('reset of', username), RESETS_PER_HOUR.email],
  ] as const) {
    const minutes = await minutesToWait(db, source, most, '1 hour')
    if (minutes > 0) throw refusal('tooManyResets', { minutes })
  }
}

/**
 * Counts a link for an email address for all nodes, whether or not another user has it, since each
 * sends a mail. Throws `tooManyEmailLinks` with the minutes to wait.
 */
export const admitEmailLink = async (
  db: Kysely<Schema>,
  { userId, email, ip }: { readonly userId: string; readonly email: string; readonly ip: string },
): Promise<void> => {
  for (const [source, most] of [
    [digest('email link', ipRange(ip, SUBSCRIBER)), EMAIL_LINKS_PER_HOUR.range],
    [digest('email link by', userId), EMAIL_LINKS_PER_HOUR.user],
    [digest('email link of', email), EMAIL_LINKS_PER_HOUR.email],
  ] as const) {
    const minutes = await minutesToWait(db, source, most, '1 hour')
    if (minutes > 0) throw refusal('tooManyEmailLinks', { minutes })
  }
}

/** Most mails about new devices to a user in an hour. */
const DEVICE_MAILS_PER_HOUR = 5

/** Counts a mail about a new device. False above the limit, so that no mailbox is flooded. */
export const admitsDeviceMail = async (db: Kysely<Schema>, userId: string): Promise<boolean> =>
  (await minutesToWait(db, digest('new device', userId), DEVICE_MAILS_PER_HOUR, '1 hour')) === 0

/** Most exports of own data of a user in an hour. Each reads every row about them. */
const EXPORTS_PER_HOUR = 5

/** Counts an export of own data for all nodes. Throws `tooManyExports` with the minutes to wait. */
export const admitExport = async (db: Kysely<Schema>, userId: string): Promise<void> => {
  const minutes = await minutesToWait(db, digest('export', userId), EXPORTS_PER_HOUR, '1 hour')
  if (minutes > 0) throw refusal('tooManyExports', { minutes })
}

const guessKeys = (userId: string) =>
  (['1 minute', '1 day'] as const).map((span) => ({ span, key: digest('guess', span, userId) }))

/**
 * Counts a code of an authenticator app for all nodes, before it is compared. Recovery codes and
 * passkeys cannot be guessed and stay open. Throws `tooManyGuesses` with the minutes to wait.
 */
export const admitGuess = async (db: Kysely<Schema>, userId: string): Promise<void> => {
  for (const { span, key } of guessKeys(userId)) {
    const minutes = await minutesToWait(db, key, GUESSES[span], span)
    if (minutes > 0) throw refusal('tooManyGuesses', { minutes })
  }
}

/** Uncounts a right code. */
export const guessSucceeded = async (db: Kysely<Schema>, userId: string): Promise<void> => {
  await db
    .updateTable('login_throttles')
    .set({ failures: sql<number>`greatest(failures - 1, 0)` })
    .where(
      'key',
      'in',
      guessKeys(userId).map(({ key }) => key),
    )
    .execute()
}

type Span = '1 minute' | '1 hour' | '1 day'

const minutesToWait = async (
  db: Kysely<Schema>,
  source: Buffer,
  most: number,
  span: Span,
): Promise<number> => {
  const { rows } = await sql<{
    seconds: number
  }>`SELECT admit_within(${source}, ${most}, ${span}::interval) AS seconds`.execute(db)
  return Math.ceil((rows[0]?.seconds ?? 0) / 60)
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
