import type { Language } from '@pool/contract/languages'
import { refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import { record } from '../audit/record.ts'
import type { Schema } from '../db/schema.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'
import type { Actor } from '../sessions/actor.ts'
import { endingSessions } from '../sessions/ending.ts'
import { bytesOf, endSessionsOf, startSession } from '../sessions/sessions.ts'
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
 * token. Throws `wrongPassword`, or `unauthenticated` when the caller's session ended meanwhile.
 */
export const changePassword = async (
  { config, db, keys }: MailContext,
  { userId, password, newPassword, language, userAgent, by }: PasswordChange,
): Promise<string> => {
  const user = await requirePassword({ db, keys }, { userId, password, by })
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
    const factorAt = await provenAt(transaction, by)
    const ended = await endSessionsOf(transaction, userId)
    if (by.session !== undefined && !ended.includes(by.session)) throw refusal('unauthenticated')
    // This transaction has just ended the caller's session, so the check must not look for it.
    await record(transaction, keys, {
      by: { ...by, session: undefined },
      action: 'password.changed',
      subject: { type: 'user', id: userId },
      ownerId: userId,
    })
    await queueMails(transaction, config, {
      template: 'passwordChanged',
      parameters: {
        firstName: user.first_name,
        at: changed.updated_at.toISOString(),
        restsUntil: null,
      },
      userId,
      recipient: user.username,
      language,
    })
    return startSession(transaction, userId, { ip: by.from, userAgent, factorAt })
  })
}

/** Moment of the last proven factor in a session. */
const provenAt = async (db: Kysely<Schema>, { session }: Actor): Promise<Date | null> => {
  if (session === undefined) return null
  const found = await db
    .selectFrom('sessions')
    .select('factor_at')
    .where('token_hash', '=', bytesOf(session))
    .executeTakeFirst()
  return found?.factor_at ?? null
}
