import type { Language } from '@pool/contract/base/languages'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { type MailedKind, mailedByDefault, mailedKinds } from '@pool/contract/reports/notices'
import { type Kysely, sql } from 'kysely'
import { type NewMail, queueMails } from '../../accounts/mail/outbox.ts'
import type { MailContext } from '../../accounts/mail/send.ts'
import type { Schema } from '../../base/db/schema.ts'
import { ofTypes } from '../../requests/transactions/ofTypes.ts'
import { type EventRow, fromEntries, fromTransactions } from './events.ts'

/** Most rows of each source that one transaction reads. */
const AT_ONCE = 2_000

/**
 * Queues mails of notices since the last round, but for the `newest`, an interval above zero. Mails
 * and mark are one commit, so each is mailed once. Returns the number of mails.
 */
export const mailNotices = async (context: MailContext, newest = '1 second'): Promise<number> => {
  for (let queued = 0; ; ) {
    const round = await context.db
      .transaction()
      .execute((transaction) => next(context, transaction, newest))
    queued += round.queued
    if (!round.more) return queued
  }
}

type Round = { readonly queued: number; readonly more: boolean }

const next = async (
  { config }: Pick<MailContext, 'config'>,
  transaction: Kysely<Schema>,
  newest: string,
): Promise<Round> => {
  const span = await nextSpan(transaction, newest)
  if (!span) return { queued: 0, more: false }
  const mails = (await eventsOf(transaction, span)).map(mailOf)
  if (mails.length > 0) await queueMails(transaction, { mail: config.mail }, ...mails)
  await sql`UPDATE notice_mailing SET until = ${span.to}::timestamptz`.execute(transaction)
  return { queued: mails.length, more: !span.isLast }
}

/** Moments as text, since a Date has no microseconds. */
type Span = { readonly from: string; readonly to: string; readonly isLast: boolean }

/**
 * The next span to mail, for one job at a time. It ends before every transaction under way, whose
 * rows will bear the moment of its start.
 */
const nextSpan = async (transaction: Kysely<Schema>, newest: string): Promise<Span | undefined> => {
  const locked = await sql<{ from: string; end: string }>`
    SELECT until::text AS "from", (
      SELECT least(now(), min(xact_start)) - ${newest}::interval FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid())::text AS "end"
    FROM notice_mailing FOR UPDATE SKIP LOCKED`.execute(transaction)
  const [mark] = locked.rows
  if (!mark) return undefined
  // Read after the end was fixed, so it sees what committed before.
  const { rows } = await sql<{ to: string; is_last: boolean; is_later: boolean }>`
    SELECT "to"::text, "to" = "end" AS is_last, "to" > "from" AS is_later FROM (
      SELECT "from", "end", least("end",
        (SELECT created_at FROM ${ofTypes()} AS t WHERE created_at > "from" ORDER BY created_at, id OFFSET ${AT_ONCE} LIMIT 1),
        (SELECT created_at FROM audit_entries WHERE subject_type <> 'user' AND created_at > "from" ORDER BY created_at, id OFFSET ${AT_ONCE} LIMIT 1)) AS "to"
      FROM (SELECT ${mark.from}::timestamptz AS "from", ${mark.end}::timestamptz AS "end") AS span
    ) AS ends`.execute(transaction)
  const [ends] = rows
  return ends?.is_later ? { from: mark.from, to: ends.to, isLast: ends.is_last } : undefined
}

type NoticeRow = EventRow & {
  readonly kind: MailedKind
  readonly user_id: string
  readonly amount: bigint
  readonly username: string
  readonly first_name: string
  readonly language: Language
  readonly balance: bigint
}

/** The notices of a span that their owners want by mail, with the balance right after each. */
const eventsOf = async (
  transaction: Kysely<Schema>,
  { from, to }: Span,
): Promise<readonly NoticeRow[]> => {
  const within = (moment: string) =>
    sql`${sql.ref(moment)} > ${from}::timestamptz AND ${sql.ref(moment)} <= ${to}::timestamptz`
  const { rows } = await sql<NoticeRow>`
    SELECT n.*, u.username, u.first_name, available_at(u.id, n.at) AS balance,
      coalesce((SELECT language FROM known_devices WHERE user_id = u.id ORDER BY last_seen_at DESC LIMIT 1), 'en') AS language
    FROM (
      (${fromTransactions(ofTypes())} WHERE ${within('t.created_at')})
      UNION ALL
      (${fromEntries} WHERE e.subject_type <> 'user' AND ${within('e.created_at')})
    ) AS n
    JOIN users AS u ON u.id = n.user_id
    LEFT JOIN notice_settings AS s ON s.user_id = u.id
    WHERE n.kind = ANY (${mailedKinds}) AND n.kind = ANY (coalesce(s.mailed, ${mailedByDefault}))
    ORDER BY n.at, n.id`.execute(transaction)
  return rows
}

const mailOf = (row: NoticeRow): NewMail => ({
  template: 'moneyNotice',
  parameters: {
    firstName: row.first_name,
    at: row.at.toISOString(),
    kind: row.kind,
    amount: dollarsFromCents(cents(row.amount)),
    interest: row.interest === null ? null : dollarsFromCents(cents(row.interest)),
    reason: row.reason,
    balance: dollarsFromCents(cents(row.balance)),
  },
  userId: row.user_id,
  recipient: row.username,
  language: row.language,
  cause: row.id,
})
