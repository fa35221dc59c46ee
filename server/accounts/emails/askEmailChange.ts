import type { Language } from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import { sql } from 'kysely'
import type { Caller } from '../../base/sessions/actor.ts'
import { requireThawed } from '../../base/sessions/frozen.ts'
import { record } from '../../records/audit/record.ts'
import { addLink, endLinks } from '../links/links.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'
import { addGiveBack } from './giveBack.ts'
import { isTaken } from './taken.ts'

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
    // Long: one transaction, whose mails are data with a line for each field.
    const userId = by.id
    const user = await transaction
      .selectFrom('users')
      .select(['username', 'first_name', 'email_confirmed_at', sql<Date>`now()`.as('at')])
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    if (user.username === email) throw refusal('emailUnchanged')
    await requireThawed(transaction, userId)
    await endLinks(transaction, { userId, kinds: ['CHANGE'] })
    const { link, until, isAdded } = await addLink(transaction, keys, {
      kind: 'CHANGE',
      userId,
      address: email,
      where: sql`NOT ${isTaken({ userId, email })}`,
    })
    const owner = await transaction
      .selectFrom('users')
      .select(['id', 'first_name'])
      .where('username', '=', email)
      .executeTakeFirst()
    const freezing = await addGiveBack(transaction, keys, { userId, ...user })
    await queueMails(
      transaction,
      config,
      isAdded
        ? {
            template: 'emailChange',
            parameters: { firstName: user.first_name, link, until: until.toISOString() },
            userId,
            recipient: email,
            language,
            expiresAt: until,
          }
        : {
            template: 'emailTaken',
            parameters: { firstName: owner?.first_name ?? '' },
            userId: owner?.id ?? userId,
            recipient: email,
            language,
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
