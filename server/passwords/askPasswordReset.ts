import type { Language } from '@pool/contract/languages'
import { sql } from 'kysely'
import { record } from '../audit/record.ts'
import { newLink, tokenDigest, tokenOf } from '../links/links.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'

/** Minutes for which a link works. */
const LINK_MINUTES = 30

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
    const expiry = sql<Date>`now() + make_interval(mins => ${LINK_MINUTES})`
    const user = await transaction
      .selectFrom('users')
      .select(['id', 'username', 'first_name', expiry.as('until')])
      .where('username', '=', username)
      .executeTakeFirst()
    const link = newLink(keys)
    await sql`
      INSERT INTO password_resets (id, user_id, token_digest, expires_at)
      SELECT ${link.id}, id, ${tokenDigest(tokenOf(keys, link))}, ${expiry} FROM users WHERE username = ${username}`.execute(
      transaction,
    )
    const mails = user && {
      template: 'passwordReset' as const,
      parameters: { firstName: user.first_name, link, until: user.until.toISOString() },
      userId: user.id,
      recipient: user.username,
      language,
      expiresAt: user.until,
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
