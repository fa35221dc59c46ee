import { refusal } from '@pool/contract/refusals'
import { sql } from 'kysely'
import { type OnRecord, record } from '../audit/record.ts'
import type { Actor } from '../sessions/actor.ts'
import { endingSessions } from '../sessions/ending.ts'
import { endSessionsOf, startSession } from '../sessions/sessions.ts'
import { hashPassword, passwordMatches } from './passwords.ts'

export type PasswordChange = {
  readonly userId: string
  readonly password: string
  readonly newPassword: string
  readonly by: Actor
}

/**
 * Changes a user's password, ends all their sessions and returns a new session's token. Throws
 * `wrongPassword`, or `unauthenticated` when the caller's session ended meanwhile.
 */
export const changePassword = async (
  { db, keys }: OnRecord,
  { userId, password, newPassword, by }: PasswordChange,
): Promise<string> => {
  const onUser = { subject: { type: 'user', id: userId }, ownerId: userId } as const
  const user = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user || !(await passwordMatches(user.password_hash, password))) {
    await record(db, keys, { by, action: 'session.refused', ...onUser, reason: 'wrongPassword' })
    throw refusal('wrongPassword')
  }
  const password_hash = await hashPassword(newPassword)
  return endingSessions(db, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('users')
      .set({ password_hash, updated_at: sql<Date>`now()` })
      .where('id', '=', userId)
      .where('password_hash', '=', user.password_hash)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw refusal('wrongPassword')
    const ended = await endSessionsOf(transaction, userId)
    if (by.session !== undefined && !ended.includes(by.session)) throw refusal('unauthenticated')
    // This transaction has just ended the caller's session, so the check must not look for it.
    await record(transaction, keys, {
      by: { ...by, session: undefined },
      action: 'password.changed',
      ...onUser,
    })
    return startSession(transaction, userId)
  })
}
