import type { Language } from '@pool/contract/base/languages'
import { sql } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import { record } from '../../records/audit/record.ts'
import { addLink } from '../links/links.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'

export type AskedReset = {
  readonly username: string
  readonly language: Language
  /** IP address, for the audit trail. */
  readonly from: string
}

/**
 * Mails a link for a new password to the user with this email. Does the same work for an unknown
 * email, and writes no mail then.
 */
export const askPasswordReset = (
  { config, db, keys }: MailContext,
  { username, language, from }: AskedReset,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const user = await transaction
      .selectFrom('users')
      .select(['id', 'username', 'first_name'])
      .where('username', '=', username)
      .executeTakeFirst()
    const userId = user?.id ?? newId()
    const { link, until } = await addLink(transaction, keys, {
      kind: 'RESET',
      userId,
      address: username,
      where: sql`EXISTS (SELECT FROM users WHERE id = ${userId})`,
    })
    const mails = user && {
      template: 'passwordReset' as const,
      parameters: { firstName: user.first_name, link, until: until.toISOString() },
      userId,
      recipient: user.username,
      language,
      expiresAt: until,
    }
    await queueMails(transaction, config, ...(mails ? [mails] : []))
    // The caller is not proven to be the owner, so the entry has the given name. It is cut at 254.
    await record(transaction, keys, {
      by: { name: username.slice(0, 254), from },
      action: 'password.resetAsked',
      subject: { type: 'user', id: user?.id ?? '' },
      ownerId: user?.id,
    })
  })
