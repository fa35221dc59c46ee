import {
  MAILBOX_SIZE,
  type Mail,
  UNDELIVERED_SIZE,
  type UndeliveredMail,
  type WrittenMail,
} from '@pool/contract/accounts/mails'
import { refusal } from '@pool/contract/base/refusals'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import { type Link, tokenOf } from '../links/tokens.ts'
import { type MailContext, writeMail } from './send.ts'

type MailRow = Selectable<Schema['mails']>

/** A reader of the mailbox: sees mails to staff or not, and the links of mails or not. */
export type MailReader = { readonly seesStaff: boolean; readonly seesLinks: boolean }

/** Mails that a reader may see, in SQL. Admins open no link of other staff, or of an invite. */
export const readableBy = ({ seesStaff }: Pick<MailReader, 'seesStaff'>) =>
  seesStaff
    ? sql<boolean>`true`
    : sql<boolean>`mails.user_id IS NOT NULL AND NOT EXISTS (SELECT FROM user_roles AS r WHERE r.user_id = mails.user_id AND r.role <> 'USER')`

/** Stands for a token that must not be shown. */
const HIDDEN_TOKEN = 'hidden'

const withoutTokens = (): string => HIDDEN_TOKEN
const withTokens = (keys: Keys) => (link: Link) => tokenOf(keys, link)

const onTheWire = (row: MailRow, subject: string): Mail => ({
  id: row.id,
  recipient: row.recipient,
  subject,
  language: row.language,
  template: row.template as Mail['template'],
  status: row.status,
  createdAt: timestampFromDate(row.created_at),
})

const written = ({ config }: MailContext, row: MailRow, tokenFor: (link: Link) => string) =>
  writeMail(config, { ...row, template: row.template as Mail['template'] }, tokenFor)

/** The newest mails of a sandbox. */
export const listMailbox = async (
  context: MailContext,
  reader: MailReader,
): Promise<readonly Mail[]> => {
  const rows = await context.db
    .selectFrom('mails')
    .selectAll()
    .where(readableBy(reader))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAILBOX_SIZE)
    .execute()
  return rows.map((row) => onTheWire(row, written(context, row, withoutTokens).subject))
}

/** A mail of a sandbox, with its link for those who see links. Throws `mailNotFound`. */
export const readMailbox = async (
  context: MailContext,
  id: string,
  reader: MailReader,
): Promise<WrittenMail> => {
  const row = await context.db
    .selectFrom('mails')
    .selectAll()
    .where('id', '=', id)
    .where(readableBy(reader))
    .executeTakeFirst()
  if (!row) throw refusal('mailNotFound')
  const tokens = reader.seesLinks ? withTokens(context.keys) : withoutTokens
  const { subject, text, html } = written(context, row, tokens)
  return { ...onTheWire(row, subject), text, html }
}

type Undelivered = MailRow & {
  readonly expired: boolean
  readonly attempted_at: Date | null
  readonly outcome: NonNullable<UndeliveredMail['lastAttempt']>['outcome']
  readonly answer: string
}

/** Mails that were given up, and those that wait after a failed attempt, newest first. */
export const listUndelivered = async (
  context: MailContext,
  reader: MailReader,
): Promise<readonly UndeliveredMail[]> => {
  const { rows } = await sql<Undelivered>`
    SELECT m.*, coalesce(m.expires_at <= now(), false) AS expired, last.*
    FROM (
      (SELECT * FROM mails WHERE status = 'DEAD' AND ${readableBy(reader)}
       ORDER BY created_at DESC LIMIT ${UNDELIVERED_SIZE})
      UNION ALL
      (SELECT * FROM mails WHERE status = 'WAITING' AND attempts > 0 AND ${readableBy(reader)}
       ORDER BY next_attempt_at LIMIT ${UNDELIVERED_SIZE})
    ) AS m
    LEFT JOIN LATERAL (
      SELECT attempted_at, outcome, answer FROM mail_deliveries AS d
      WHERE d.mail_id = m.id ORDER BY d.id DESC LIMIT 1) AS last ON true
    -- The first attempt may be under way.
    WHERE m.status = 'DEAD' OR last.attempted_at IS NOT NULL
    ORDER BY m.created_at DESC, m.id DESC LIMIT ${UNDELIVERED_SIZE}`.execute(context.db)
  return rows.map((row) => ({
    ...onTheWire(row, written(context, row, withoutTokens).subject),
    userId: row.user_id,
    attempts: row.attempts,
    lastAttempt: row.attempted_at && {
      at: timestampFromDate(row.attempted_at),
      outcome: row.outcome,
      answer: row.answer,
    },
    nextAttemptAt: row.status === 'DEAD' ? null : timestampFromDate(row.next_attempt_at),
    expired: row.expired,
  }))
}

/** A mail for its recipient's export, without the token of its link. */
export const readOwnMail = (
  context: MailContext,
  row: object,
): Readonly<Record<string, unknown>> => {
  const { created_at: at, ...mail } = row as MailRow
  const { subject, text } = written(context, { ...mail, created_at: at }, withoutTokens)
  return {
    at,
    recipient: mail.recipient,
    language: mail.language,
    status: mail.status,
    subject,
    text,
  }
}

/** A mail for the operator, with its delivery log. */
export type ToldMail = Mail & {
  readonly attempts: number
  readonly deliveries: readonly { attempted_at: Date; outcome: string; answer: string }[]
}

/** Most mails of the operator's list. */
const LISTED = 100

/** The operator's list: dead letters first, then the newest. */
export const listForOperator = async (context: MailContext): Promise<readonly ToldMail[]> => {
  const newest = (isDead: boolean) =>
    context.db
      .selectFrom('mails')
      .selectAll()
      .where('status', isDead ? '=' : '<>', 'DEAD')
      .orderBy('created_at', 'desc')
      .limit(LISTED)
      .execute()
  const rows = [...(await newest(true)), ...(await newest(false))].slice(0, LISTED)
  return rows.map((row) => ({
    ...onTheWire(row, written(context, row, withoutTokens).subject),
    attempts: row.attempts,
    deliveries: [],
  }))
}

/** A mail with its text and its delivery log. Live mode hides the token. Undefined for no mail. */
export const readMailOf = async (
  context: MailContext,
  id: string,
): Promise<(ToldMail & { readonly text: string }) | undefined> => {
  const { config, db, keys } = context
  const row = await db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const deliveries = await db
    .selectFrom('mail_deliveries')
    .select(['attempted_at', 'outcome', 'answer'])
    .where('mail_id', '=', id)
    .orderBy('id')
    .execute()
  const tokens = config.poolMode === 'live' ? withoutTokens : withTokens(keys)
  const { subject, text } = written(context, row, tokens)
  return { ...onTheWire(row, subject), attempts: row.attempts, deliveries, text }
}
