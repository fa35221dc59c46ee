import type { Language } from '@pool/contract/languages'
import { refusal } from '@pool/contract/refusals'
import { sql } from 'kysely'
import { record } from '../audit/record.ts'
import { addEmailLink } from '../links/emailLinks.ts'
import { addFreezeLink } from '../links/freezeLinks.ts'
import { endLinks } from '../links/openLinks.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'
import type { Caller } from '../sessions/actor.ts'
import { requireThawed } from '../sessions/frozen.ts'

export type EmailChange = {
  /** The new address, in lower case. */
  readonly email: string
  readonly language: Language
  readonly by: Caller
}

/**
 * Mails a link to the new address, and a link that freezes the account to the old one. Does the
 * same work for a taken address. Throws `emailUnchanged` and `accountFrozen`.
 */
export const askEmailChange = (
  { config, db, keys }: MailContext,
  { email, language, by }: EmailChange,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const userId = by.id
    const user = await transaction
      .selectFrom('users')
      .select(['username', 'first_name', sql<Date>`now()`.as('at')])
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    if (user.username === email) throw refusal('emailUnchanged')
    await requireThawed(transaction, userId)
    await endLinks(transaction, 'email_links', { userId, kind: 'CHANGE' })
    const { link, until, isTaken } = await addEmailLink(transaction, keys, {
      userId,
      kind: 'CHANGE',
      email,
    })
    const owner = await transaction
      .selectFrom('users')
      .select(['id', 'first_name'])
      .where('username', '=', email)
      .executeTakeFirst()
    const freezing = await addFreezeLink(transaction, keys, { userId, email: user.username })
    await queueMails(
      transaction,
      config,
      isTaken
        ? {
            template: 'emailTaken',
            parameters: { firstName: owner?.first_name ?? '' },
            userId: owner?.id ?? userId,
            recipient: email,
            language,
          }
        : {
            template: 'emailChange',
            parameters: { firstName: user.first_name, link, until: until.toISOString() },
            userId,
            recipient: email,
            language,
            expiresAt: until,
          },
      {
        template: 'emailChangeAsked',
        parameters: {
          firstName: user.first_name,
          at: user.at.toISOString(),
          email,
          link: freezing.link,
          until: freezing.until.toISOString(),
        },
        userId,
        recipient: user.username,
        language,
        expiresAt: freezing.until,
      },
    )
    await record(transaction, keys, {
      by,
      action: 'email.changeAsked',
      subject: { type: 'user', id: userId },
      ownerId: userId,
      before: { email: user.username },
      after: { email },
    })
  })
