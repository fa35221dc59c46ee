import type { Language } from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import { sql } from 'kysely'
import type { Actor } from '../../base/sessions/actor.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import { provenAt, startSession } from '../../base/sessions/sessions.ts'
import { passwordDigest } from '../../records/audit/passwordDigest.ts'
import { record } from '../../records/audit/record.ts'
import { addLink } from '../links/links.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'
import { takeBack } from '../recovery/takeBack.ts'
import { admitPasswordChange } from './admitPasswordChange.ts'
import { requireGoodPassword } from './passwordRules.ts'
import { hashPassword } from './passwords.ts'
import { requirePassword } from './requirePassword.ts'

export type PasswordChange = {
  readonly userId: string
  readonly password: string
  readonly newPassword: string
  readonly language: Language
  readonly userAgent: string
  readonly by: Actor
}

/** Throws `validation` for a new password that is easily guessed. */
export const requireGoodNewPassword = async (
  { config, db }: Pick<MailContext, 'config' | 'db'>,
  {
    userId,
    username,
    newPassword,
  }: Pick<PasswordChange, 'userId' | 'newPassword'> & {
    readonly username: string
  },
): Promise<void> => {
  const names = await db
    .selectFrom('users')
    .select(['first_name as firstName', 'last_name as lastName'])
    .where('id', '=', userId)
    .executeTakeFirst()
  requireGoodPassword(newPassword, {
    ...names,
    email: username,
    productName: config.productName,
    field: 'newPassword',
  })
}

/**
 * Changes a password, ends all sessions of its user and tells them by mail. Returns a new session's
 * token. Throws `wrongPassword`, `tooManySignIns`, or `unauthenticated` if the caller's ended.
 */
export const changePassword = async (
  context: MailContext,
  { userId, password, newPassword, language, userAgent, by }: PasswordChange,
): Promise<string> => {
  const { config, db, keys } = context
  const user = await requirePassword({ db, keys }, { userId, password, by })
  if (config.rateLimits) await admitPasswordChange(db, userId)
  const password_hash = await hashPassword(newPassword)
  return endingSessions(db, async (transaction) => {
    const changed = await transaction
      .updateTable('users')
      .set({ password_hash, updated_at: sql<Date>`now()` })
      .where('id', '=', userId)
      .where('password_hash', '=', user.password_hash)
      .returning('updated_at')
      .executeTakeFirst()
    if (!changed) throw refusal('wrongPassword')
    const signing = { db: transaction, keys }
    const factorAt =
      by.session === undefined ? null : await provenAt(signing, { hash: by.session, userId })
    const ended = await takeBack(transaction, context, { userId, by, act: 'passwordChanged' })
    if (by.session !== undefined && !ended.includes(by.session)) throw refusal('unauthenticated')
    // This transaction has just ended the caller's session, so the check must not look for it.
    await record(transaction, keys, {
      by: { ...by, session: undefined },
      action: 'password.changed',
      subject: { type: 'user', id: userId },
      ownerId: userId,
      after: { digest: passwordDigest(password_hash) },
    })
    const { link, until } = await addLink(transaction, keys, {
      kind: 'FREEZE',
      userId,
      address: user.username,
    })
    await queueMails(transaction, config, {
      template: 'passwordChanged',
      parameters: {
        firstName: user.first_name,
        at: changed.updated_at.toISOString(),
        restsUntil: null,
        link,
        until: until.toISOString(),
      },
      userId,
      recipient: user.username,
      language,
    })
    return startSession(signing, userId, { ip: by.from, userAgent, factorAt })
  })
}
