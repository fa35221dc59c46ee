import {
  mailedByDefault,
  mailedKinds,
  type NoticePreferences,
} from '@pool/contract/reports/notices'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/** Marks notices up to a moment as read. Never goes back, nor beyond now. */
export const markRead = async (
  db: Kysely<Schema>,
  { userId, until }: { readonly userId: string; readonly until: string },
): Promise<void> => {
  await sql`
    INSERT INTO notice_settings (user_id, read_until)
    VALUES (${userId}, date_trunc('milliseconds', least(${until}::timestamptz, now())))
    ON CONFLICT (user_id) DO UPDATE SET read_until = excluded.read_until
    WHERE notice_settings.read_until < excluded.read_until`.execute(db)
}

/** The notices that a user gets by mail. */
export const readPreferences = async (
  db: Kysely<Schema>,
  userId: string,
): Promise<NoticePreferences> => {
  const row = await db
    .selectFrom('notice_settings')
    .select('mailed')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const chosen: readonly string[] = row?.mailed ?? mailedByDefault
  return {
    mails: Object.fromEntries(
      mailedKinds.map((kind) => [kind, chosen.includes(kind)]),
    ) as NoticePreferences['mails'],
  }
}

/** Saves which notices a user gets by mail. */
export const savePreferences = async (
  db: Kysely<Schema>,
  { userId, mails }: NoticePreferences & { readonly userId: string },
): Promise<void> => {
  const mailed = mailedKinds.filter((kind) => mails[kind])
  await db
    .insertInto('notice_settings')
    .values({ user_id: userId, mailed })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ mailed }))
    .execute()
}
