import { refusal } from '@pool/contract/refusals'
import type { RoleType } from '@pool/contract/users'
import { type OnRecord, record } from '../audit/record.ts'
import { startSession } from '../sessions/sessions.ts'
import { passwordMatches } from './passwords.ts'

export type SignedIn = {
  readonly token: string
  readonly userId: string
  readonly username: string
  readonly roles: readonly RoleType[]
}

/** A sign-in attempt. `from` is the IP address for the audit trail. */
export type SignIn = { readonly username: string; readonly password: string; readonly from: string }

/**
 * Starts a session for the right password. Throws `invalidCredentials` for an unknown email or a
 * wrong password, `suspended` only with the right one.
 */
export const logIn = async (
  { db, keys }: OnRecord,
  { username, password, from }: SignIn,
): Promise<SignedIn> => {
  const user = await db
    .selectFrom('users')
    .select(['id', 'username', 'password_hash', 'suspended_at'])
    .where('username', '=', username)
    .executeTakeFirst()
  const matches = await passwordMatches(user?.password_hash, password)
  if (!user || !matches || user.suspended_at !== null) {
    const reason = user && matches ? 'suspended' : 'invalidCredentials'
    // The caller is not proven to be the owner, so the entry has the tried name. It is cut at 254.
    const by = { name: username.slice(0, 254), from }
    await record(db, keys, {
      by,
      action: 'session.refused',
      subject: { type: 'user', id: user?.id ?? '' },
      ownerId: user?.id,
      reason,
    })
    throw refusal(reason)
  }

  const { id: userId } = user
  return db.transaction().execute(async (transaction) => {
    const roles = await transaction
      .selectFrom('user_roles')
      .select('role')
      .where('user_id', '=', userId)
      .execute()
    const token = await startSession(transaction, userId)
    const by = { id: userId, name: user.username, from }
    await record(transaction, keys, {
      by,
      action: 'session.started',
      subject: { type: 'user', id: userId },
      ownerId: userId,
    })
    return { token, userId, username: user.username, roles: roles.map(({ role }) => role) }
  })
}
