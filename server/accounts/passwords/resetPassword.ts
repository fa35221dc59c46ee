import type { Language } from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { cooldownEnd } from '../../base/sessions/cooldown.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import { passwordDigest } from '../../records/audit/passwordDigest.ts'
import { record } from '../../records/audit/record.ts'
import { addLink, findLink, useLink } from '../links/links.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'
import { removeUnproven } from '../recovery/removeUnproven.ts'
import { takeBack } from '../recovery/takeBack.ts'
import { unfreeze } from '../recovery/unfreeze.ts'
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
  context: MailContext,
  { token, newPassword, language, from }: PasswordReset,
): Promise<void> => {
  const { config, db, keys } = context
  const link = await findLink(context, token, 'RESET')
  if (!link) throw refusal('resetLinkInvalid')
  const { userId } = link
  const user = await db
    .selectFrom('users')
    .select(['username', 'first_name', 'last_name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  requireGoodPassword(newPassword, {
    email: user.username,
    firstName: user.first_name,
    lastName: user.last_name,
    productName: config.productName,
    field: 'newPassword',
  })
  const password_hash = await hashPassword(newPassword)
  await endingSessions(db, async (transaction) => {
    const isProven = await holdOwner(transaction, userId)
    if (!(await useLink(transaction, link))) throw refusal('resetLinkInvalid')
    const by = { id: userId, name: user.username, from }
    await takeBack(transaction, context, { userId, by, act: 'passwordReset' })
    const removed = isProven ? [] : await removeUnproven(transaction, userId)
    const changed = await setPassword(transaction, userId, password_hash)
    const restsUntil = changed.withdrawals_rest_until?.toISOString()
    const freezing = await addLink(transaction, keys, {
      kind: 'FREEZE',
      userId,
      address: user.username,
    })
    await queueMails(transaction, config, {
      template: 'passwordChanged',
      parameters: {
        firstName: user.first_name,
        at: changed.updated_at.toISOString(),
        restsUntil: restsUntil ?? null,
        link: freezing.link,
        until: freezing.until.toISOString(),
      },
      userId,
      recipient: user.username,
      language,
    })
    await unfreeze(transaction, context, { userId, by, proof: 'mailbox' })
    await record(transaction, keys, {
      by,
      action: 'password.reset',
      subject: { type: 'user', id: userId },
      ownerId: userId,
      ...(removed.length > 0 && { before: { factors: removed } }),
      after: {
        withdrawalsRestUntil: restsUntil,
        digest: passwordDigest(password_hash),
      },
    })
  })
}

/** Sets the password, confirms the email and starts the cooldown of withdrawals. */
const setPassword = (transaction: Kysely<Schema>, userId: string, password_hash: string) =>
  transaction
    .updateTable('users')
    .set({
      password_hash,
      email_confirmed_at: sql<Date>`coalesce(email_confirmed_at, now())`,
      updated_at: sql<Date>`now()`,
      withdrawals_rest_until: cooldownEnd,
    })
    .where('id', '=', userId)
    .returning(['updated_at', 'withdrawals_rest_until'])
    .executeTakeFirstOrThrow()

/** Locks a user's row. True when the mailbox was proven before. */
const holdOwner = async (transaction: Kysely<Schema>, userId: string): Promise<boolean> => {
  const user = await transaction
    .selectFrom('users')
    .select('email_confirmed_at')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return user.email_confirmed_at !== null
}
