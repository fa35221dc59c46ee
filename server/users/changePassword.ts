import { refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import { type Author, record } from '../audit/record.ts'
import type { Schema } from '../db/schema.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import { endSessionsOf, startSession } from './sessions.ts'

export type PasswordChange = { readonly userId: string; readonly password: string; readonly newPassword: string; readonly by: Author }

/**
 * Gives a user another password and ends all of their sessions, on this server and all others, from the next call on: whoever else held one is out.
 * Returns the token of a new session. Throws `wrongPassword` unless `password` is the present one, also when it was changed at the same moment.
 */
export const changePassword = async (db: Kysely<Schema>, { userId, password, newPassword, by }: PasswordChange): Promise<string> => {
  const onUser = { subject: { type: 'user', id: userId }, ownerId: userId } as const
  const user = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst()
  if (!user || !(await passwordMatches(user.password_hash, password))) {
    await record(db, { by, action: 'session.refused', ...onUser, reason: 'wrongPassword' })
    throw refusal('wrongPassword')
  }
  const password_hash = await hashPassword(newPassword)
  return db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('users')
      .set({ password_hash, updated_at: sql<Date>`now()` })
      .where('id', '=', userId)
      .where('password_hash', '=', user.password_hash)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw refusal('wrongPassword')
    await endSessionsOf(transaction, userId)
    await record(transaction, { by, action: 'password.changed', ...onUser })
    return startSession(transaction, userId)
  })
}
