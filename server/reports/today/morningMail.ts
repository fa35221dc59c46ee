import type { Language } from '@pool/contract/base/languages'
import { type Kysely, sql } from 'kysely'
import { type NewMail, queueMails } from '../../accounts/mail/outbox.ts'
import type { MailContext } from '../../accounts/mail/send.ts'
import type { Schema } from '../../base/db/schema.ts'
import { readToday } from './queries.ts'

/** True if a user gets the mail of the morning. */
export const wantsMorningMail = async (db: Kysely<Schema>, userId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('notice_settings')
    .select('morning')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.morning ?? false
}

/** Saves if a user gets the mail of the morning. */
export const chooseMorningMail = async (
  db: Kysely<Schema>,
  { userId, wanted }: { readonly userId: string; readonly wanted: boolean },
): Promise<void> => {
  await db
    .insertInto('notice_settings')
    .values({ user_id: userId, morning: wanted })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ morning: wanted }))
    .execute()
}

/** The hour of UTC from which the mails are queued. */
const FROM_HOUR = 6

type Reader = {
  readonly id: string
  readonly username: string
  readonly first_name: string
  readonly language: Language
  readonly cause: string
}

/**
 * Queues the day since yesterday began for each of the staff who chose that and have no such mail
 * of this day. None before the hour. Returns the number of mails.
 */
export const mailMorning = async (context: MailContext, now: Date): Promise<number> => {
  if (now.getUTCHours() < FROM_HOUR) return 0
  const { rows } = await sql<Reader>`
    SELECT * FROM (
      SELECT u.id, u.username, u.first_name, md5('morning ' || ${now.toISOString().slice(0, 10)} || u.id)::uuid AS cause,
        coalesce((SELECT language FROM known_devices WHERE user_id = u.id ORDER BY last_seen_at DESC LIMIT 1), 'en') AS language
      FROM notice_settings AS s JOIN users AS u ON u.id = s.user_id
      WHERE s.morning AND u.suspended_at IS NULL AND u.closed_at IS NULL
        AND EXISTS (SELECT FROM user_roles WHERE user_id = u.id AND role <> 'USER')
    ) AS readers
    WHERE NOT EXISTS (SELECT FROM mails WHERE mails.cause = readers.cause)`.execute(context.db)
  if (rows.length === 0) return 0
  const today = await readToday(context, now)
  const mails = rows.map(
    ({ id, username, first_name, language, cause }): NewMail => ({
      template: 'morning',
      parameters: { firstName: first_name, today },
      userId: id,
      recipient: username,
      language,
      cause,
    }),
  )
  await queueMails(context.db, context.config, ...mails)
  return rows.length
}
