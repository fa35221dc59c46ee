/** The outbox: mails are written with their cause, claimed by one sender at a time, and settled. */
import type { MailStatus, MailTemplate } from '@pool/contract/accounts/mails'
import type { Language } from '@pool/contract/base/languages'
import { type Kysely, sql } from 'kysely'
import type { Config } from '../../base/configuration/config.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Template } from './templates.ts'

/** A mail to a user at their present address, or to a person without an account. */
export type NewMail = Template & {
  readonly userId: string | null
  readonly recipient: string
  readonly language: Language
  /** End of the link in it. A mail that could not be sent by then is given up. */
  readonly expiresAt?: Date
  /** The notice that it tells of. A second mail of the same notice is left out. */
  readonly cause?: string
}

/**
 * Writes mails in the transaction of their cause. Without SMTP, a sandbox keeps them. Does the same
 * work for no mail.
 */
export const queueMails = async (
  transaction: Kysely<Schema>,
  { mail }: Pick<Config, 'mail'>,
  ...mails: readonly NewMail[]
): Promise<void> => {
  const rows = mails.map(({ userId, expiresAt, ...rest }) => ({
    ...rest,
    id: newId(),
    user_id: userId,
    expires_at: expiresAt ?? null,
    status: (mail ? 'WAITING' : 'KEPT') satisfies MailStatus,
  }))
  await sql`
    INSERT INTO mails (id, user_id, template, parameters, language, recipient, status, expires_at, cause)
    SELECT id, user_id, template, parameters, language, recipient, status, expires_at, cause
    FROM jsonb_populate_recordset(NULL::mails, ${JSON.stringify(rows)}::jsonb)
    ON CONFLICT (cause) WHERE cause IS NOT NULL DO NOTHING`.execute(transaction)
}

/**
 * Time in seconds for which a claimed mail belongs to its sender. Longer than a sending may take. A
 * sender that died leaves the mail to the next one after it.
 */
const LEASE_SECONDS = 300

/** A claimed mail. `attempt` names the lease. */
export type Claimed = {
  readonly id: string
  readonly template: MailTemplate
  readonly parameters: unknown
  readonly language: Language
  readonly recipient: string
  readonly attempt: number
  readonly expired: boolean
}

/**
 * Claims the mail that has been due for longest. Two senders never claim the same one. Only `=`
 * runs the inner query once: within `IN`, a plan may run it for each row and claim several.
 */
export const claimMail = async (db: Kysely<Schema>): Promise<Claimed | undefined> => {
  const { rows } = await sql<Claimed>`
    UPDATE mails SET attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id = (
      SELECT id FROM mails WHERE status = 'WAITING' AND next_attempt_at <= now()
      ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, template, parameters, language, recipient, attempts AS attempt,
      coalesce(expires_at <= now(), false) AS expired`.execute(db)
  return rows[0]
}

const MINUTE = 60
const LONGEST_PAUSE = 6 * 60 * MINUTE
/** The pauses before it add up to three days. */
const LAST_ATTEMPT = 20

/** Seconds before the next attempt: 1 min, then twice as long each time, up to 6 h. */
export const pauseAfter = (attempt: number): number | undefined =>
  attempt >= LAST_ATTEMPT ? undefined : Math.min(LONGEST_PAUSE, MINUTE * 2 ** (attempt - 1))

/** The end of an attempt: `deferred` may succeed later, `refused` never will. */
export type Outcome = {
  readonly outcome: 'accepted' | 'deferred' | 'refused'
  /** The words of the mail server, or the fault. */
  readonly answer: string
}

/** Most characters of an answer in the delivery log. */
const LONGEST_ANSWER = 500

/** A server may answer with any byte, and PostgreSQL stores no NUL. */
const storable = (answer: string): string =>
  answer.slice(0, LONGEST_ANSWER).replaceAll(/\p{Cc}+/gu, ' ')

/** Logs an attempt and returns the mail's status. A lost lease changes nothing but a success. */
export const settleMail = (
  db: Kysely<Schema>,
  { id, attempt }: Pick<Claimed, 'id' | 'attempt'>,
  { outcome, answer }: Outcome,
): Promise<MailStatus> => {
  const pause = outcome === 'deferred' ? pauseAfter(attempt) : undefined
  const status = outcome === 'accepted' ? 'SENT' : pause === undefined ? 'DEAD' : 'WAITING'
  return db.transaction().execute(async (transaction) => {
    // A closed account took its mails with it.
    await sql`
      INSERT INTO mail_deliveries (mail_id, outcome, answer)
      SELECT id, ${outcome}, ${storable(answer)} FROM mails WHERE id = ${id} FOR KEY SHARE`.execute(
      transaction,
    )
    // The last mail of a closed account forgets its recipient.
    await sql`
      UPDATE mails SET status = ${status}, next_attempt_at = now() + make_interval(secs => ${pause ?? 0}),
        recipient = CASE WHEN ${status} = 'SENT' AND template = 'accountClosed' THEN '' ELSE recipient END,
        parameters = CASE WHEN ${status} = 'SENT' AND template = 'accountClosed' THEN parameters || '{"firstName": ""}' ELSE parameters END
      WHERE id = ${id} AND status = 'WAITING' AND (attempts = ${attempt} OR ${status} = 'SENT')`.execute(
      transaction,
    )
    return status
  })
}

/** Days for which mails that are not waiting are kept. They hold an address and a name. */
const KEPT_DAYS = 90

/** Deletes old mails with their delivery log. Returns their number. */
export const forgetOldMails = async (db: Kysely<Schema>): Promise<number> => {
  const { numAffectedRows } = await sql`
    DELETE FROM mails WHERE status <> 'WAITING' AND created_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
