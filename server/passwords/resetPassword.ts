import type { Language } from '@pool/contract/languages'
import { refusal } from '@pool/contract/refusals'
import { sql } from 'kysely'
import { record } from '../audit/record.ts'
import { unfreeze } from '../freezes/freeze.ts'
import { isOpenLink, useLink } from '../links/openLinks.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'
import { cooldownEnd } from '../sessions/cooldown.ts'
import { endingSessions } from '../sessions/ending.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { requireGoodPassword } from './passwordRules.ts'
import { hashPassword } from './passwords.ts'

export type PasswordReset = {
  readonly token: string
  readonly newPassword: string
  readonly language: Language
  readonly from: string
}

/**
 * Replaces a forgotten password by a mailed link. Confirms the email, ends all sessions, starts a
 * cooldown, lifts a freeze. A weak password leaves the link open. Throws `resetLinkInvalid`.
 */
export const resetPassword = async (
  { config, db, keys }: MailContext,
  { token, newPassword, language, from }: PasswordReset,
): Promise<void> => {
  const user = await db
    .selectFrom('password_resets as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select(['u.id', 'u.username', 'u.first_name', 'u.last_name'])
    .where(isOpenLink(token))
    .executeTakeFirst()
  if (!user) throw refusal('resetLinkInvalid')
  requireGoodPassword(newPassword, {
    email: user.username,
    firstName: user.first_name,
    lastName: user.last_name,
    productName: config.productName,
    field: 'newPassword',
  })
  const password_hash = await hashPassword(newPassword)
  await endingSessions(db, async (transaction) => {
    if (!(await useLink(transaction, 'password_resets', { userId: user.id, token })))
      throw refusal('resetLinkInvalid')
    const { updated_at, withdrawals_rest_until } = await transaction
      .updateTable('users')
      .set({
        password_hash,
        email_confirmed_at: sql<Date>`coalesce(email_confirmed_at, now())`,
        updated_at: sql<Date>`now()`,
        withdrawals_rest_until: cooldownEnd,
      })
      .where('id', '=', user.id)
      .returning(['updated_at', 'withdrawals_rest_until'])
      .executeTakeFirstOrThrow()
    await endSessionsOf(transaction, user.id)
    await queueMails(transaction, config, {
      template: 'passwordChanged',
      parameters: {
        firstName: user.first_name,
        at: updated_at.toISOString(),
        restsUntil: withdrawals_rest_until?.toISOString() ?? null,
      },
      userId: user.id,
      recipient: user.username,
      language,
    })
    const by = { id: user.id, name: user.username, from }
    await unfreeze(transaction, keys, { userId: user.id, by, proof: 'mailbox' })
    await record(transaction, keys, {
      by,
      action: 'password.reset',
      subject: { type: 'user', id: user.id },
      ownerId: user.id,
      after: { withdrawalsRestUntil: withdrawals_rest_until?.toISOString() },
    })
  })
}
