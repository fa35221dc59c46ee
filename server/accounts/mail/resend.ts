import { refusal } from '@pool/contract/base/refusals'
import { sql } from 'kysely'
import type { Actor } from '../../base/sessions/actor.ts'
import { record } from '../../records/audit/record.ts'
import { type MailReader, readableBy } from './queries.ts'
import type { MailContext } from './send.ts'

/**
 * Puts a mail back into the queue. Throws `mailNotFound`, also for a mail that `seesStaff` hides,
 * `mailExpired` for one whose link ran out, and `noMailServer` without SMTP.
 */
export const resendMail = (
  { config, db, keys }: MailContext,
  {
    id,
    by,
    seesStaff,
  }: { readonly id: string; readonly by: Actor } & Pick<MailReader, 'seesStaff'>,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const mail = await transaction
      .selectFrom('mails')
      .select(['user_id', 'status', sql<boolean>`expires_at <= now()`.as('expired')])
      .where('id', '=', id)
      .where(readableBy({ seesStaff }))
      .forUpdate()
      .executeTakeFirst()
    if (!mail) throw refusal('mailNotFound')
    if (mail.expired) throw refusal('mailExpired')
    if (!config.mail) throw refusal('noMailServer')
    await transaction
      .updateTable('mails')
      .set({
        status: 'WAITING',
        next_attempt_at: sql<Date>`now()`,
        // The attempts of a waiting mail name the lease of a sender that may be at it.
        ...(mail.status !== 'WAITING' && { attempts: 0 }),
      })
      .where('id', '=', id)
      .execute()
    await record(transaction, keys, {
      by,
      action: 'mail.resent',
      subject: { type: 'user', id: mail.user_id ?? '' },
      ownerId: mail.user_id ?? undefined,
      before: { mail: id, status: mail.status },
    })
  })
