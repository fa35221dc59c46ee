import { refusal } from '@pool/contract/refusals'
import type { RoleType } from '@pool/contract/users'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { passwordMatches } from './passwords.ts'
import { startSession } from './sessions.ts'

export type SignedIn = { readonly token: string; readonly userId: string; readonly username: string; readonly roles: readonly RoleType[] }

/** Starts a session for whoever knows the password. Throws `invalidCredentials`, the same for an unknown email and a wrong password. */
export const logIn = async (db: Kysely<Schema>, username: string, password: string): Promise<SignedIn> => {
  const user = await db.selectFrom('users').select(['id', 'username', 'password_hash']).where('username', '=', username).executeTakeFirst()
  const matches = await passwordMatches(user?.password_hash, password)
  if (!user || !matches) throw refusal('invalidCredentials')

  const roles = await db.selectFrom('user_roles').select('role').where('user_id', '=', user.id).execute()
  const token = await startSession(db, user.id)
  return { token, userId: user.id, username: user.username, roles: roles.map(({ role }) => role) }
}
