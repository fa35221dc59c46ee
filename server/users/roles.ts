import { refusal } from '@pool/contract/refusals'
import type { RoleType } from '@pool/contract/users'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { endSessionsOf } from './sessions.ts'

const userIdOf = async (db: Kysely<Schema>, email: string): Promise<string> => {
  const user = await db.selectFrom('users').select('id').where('username', '=', email.trim().toLowerCase()).executeTakeFirst()
  if (!user) throw refusal('userNotFound')
  return user.id
}

/** Gives a user a role; nothing changes when they have it. Throws `userNotFound`. */
export const grantRole = async (db: Kysely<Schema>, email: string, role: RoleType): Promise<void> => {
  const user_id = await userIdOf(db, email)
  await db
    .insertInto('user_roles')
    .values({ user_id, role })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Takes a role away, and ends the user's sessions so that nothing done under it goes on. Throws `userNotFound`. */
export const revokeRole = async (db: Kysely<Schema>, email: string, role: RoleType): Promise<void> => {
  const user_id = await userIdOf(db, email)
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('user_roles').where('user_id', '=', user_id).where('role', '=', role).execute()
    await endSessionsOf(transaction, user_id)
  })
}
