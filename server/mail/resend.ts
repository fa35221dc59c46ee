import { refusal } from '@pool/contract/refusals'
import { sql } from 'kysely'
import { record } from '../audit/record.ts'
import type { Actor } from '../sessions/actor.ts'
import type { MailContext } from './send.ts'

/**
 * Puts a mail back into the queue, with all its attempts. Throws `mailNotFound`, `mailExpired` for
 * a mail whose link ran out, and `noMailServer` without SMTP.
 */
export const resendMail = (
  { config, db, keys }: MailContext,
  { id, by }: { readonly id: string; readonly by: Actor },
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const mail = await transaction
      .selectFrom('mails')
      .select(['user_id', 'status', sql<boolean>`expires_at <= now()`.as('expired')])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!mail) throw refusal('mailNotFound')
    if (mail.expired) throw refusal('mailExpired')
    if (!config.mail) throw refusal('noMailServer')
    await transaction
      .updateTable('mails')
      .set({ status: 'WAITING', attempts: 0, next_attempt_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    await record(transaction, keys, {
      by,
      action: 'mail.resent',
      subject: { type: 'user', id: mail.user_id },
      ownerId: mail.user_id,
      before: { mail: id, status: mail.status },
    })
  })
