import type { Language } from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import { sql } from 'kysely'
import type { Caller } from '../../base/sessions/actor.ts'
import { requireThawed } from '../../base/sessions/frozen.ts'
import { record } from '../../records/audit/record.ts'
import { addLink, endLinks } from '../links/links.ts'
import type { Link } from '../links/tokens.ts'
import { type NewMail, queueMails } from '../mail/outbox.ts'
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
    const { first_name: firstName, username } = user
    await queueMails(
      transaction,
      config,
      isAdded
        ? confirmation({ userId, firstName, email, link, until, language })
        : {
            template: 'emailTaken',
            parameters: { firstName: owner?.first_name ?? '' },
            userId: owner?.id ?? userId,
            recipient: email,
            language,
          },
      warning({ userId, firstName, username, at: user.at, email, freezing, language }),
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

type Confirmation = Pick<EmailChange, 'email' | 'language'> & {
  readonly userId: string
  readonly firstName: string
  readonly link: Link
  readonly until: Date
}

/** The mail to the new address, whose link makes the change. */
const confirmation = ({
  userId,
  firstName,
  email,
  link,
  until,
  language,
}: Confirmation): NewMail => ({
  template: 'emailChange',
  parameters: { firstName, link, until: until.toISOString() },
  userId,
  recipient: email,
  language,
  expiresAt: until,
})

type Warning = Pick<EmailChange, 'email' | 'language'> & {
  readonly userId: string
  readonly firstName: string
  readonly username: string
  readonly at: Date
  readonly freezing: { readonly link: Link; readonly until: Date }
}

/** The mail to the old address, whose link freezes the account. */
const warning = ({
  userId,
  firstName,
  username,
  at,
  email,
  freezing: { link, until },
  language,
}: Warning): NewMail => ({
  template: 'emailChangeAsked',
  parameters: { firstName, at: at.toISOString(), email, link, until: until.toISOString() },
  userId,
  recipient: username,
  language,
  expiresAt: until,
})
