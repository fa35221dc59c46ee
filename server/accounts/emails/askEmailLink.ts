import type { Language } from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { record } from '../../records/audit/record.ts'
import { addLink } from '../links/links.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'

type Unconfirmed = {
  readonly id: string
  readonly username: string
  readonly firstName: string
  readonly language: Language
}

/** Mails a link that confirms the address of a user. */
export const mailConfirmation = async (
  { config, keys }: Pick<MailContext, 'config' | 'keys'>,
  transaction: Kysely<Schema>,
  { id: userId, username, firstName, language }: Unconfirmed,
): Promise<void> => {
  const { link, until } = await addLink(transaction, keys, {
    kind: 'CONFIRM',
    userId,
    address: username,
  })
  await queueMails(transaction, config, {
    template: 'emailConfirm',
    parameters: { firstName, link, until: until.toISOString() },
    userId,
    recipient: username,
    language,
    expiresAt: until,
  })
}

/** Mails the caller a new link that confirms the address. Throws `emailConfirmed`. */
export const askEmailLink = (
  context: MailContext,
  { by, language }: { readonly by: Caller; readonly language: Language },
): Promise<void> =>
  context.db.transaction().execute(async (transaction) => {
    const user = await transaction
      .selectFrom('users')
      .select(['id', 'username', 'first_name', 'email_confirmed_at'])
      .where('id', '=', by.id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    if (user.email_confirmed_at !== null) throw refusal('emailConfirmed')
    const { id, username, first_name: firstName } = user
    await mailConfirmation(context, transaction, { id, username, firstName, language })
    await record(transaction, context.keys, {
      by,
      action: 'email.linkAsked',
      subject: { type: 'user', id },
      ownerId: id,
    })
  })
