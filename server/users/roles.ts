import { refusal } from '@pool/contract/refusals'
import type { RoleType } from '@pool/contract/users'
import { type Kysely, sql } from 'kysely'
import { type OnRecord, record } from '../audit/record.ts'
import type { Schema } from '../db/schema.ts'
import type { Actor } from '../sessions/actor.ts'
import { endSessionsOf } from '../sessions/sessions.ts'

/** A change of a user within a transaction. */
type Work = (transaction: Kysely<Schema>, userId: string) => Promise<void>

/** Runs a change of the user with this email in a transaction. Throws `userNotFound`. */
const withUser = (db: Kysely<Schema>, email: string, work: Work): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const username = email.trim().toLowerCase()
    const user = await transaction
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!user) throw refusal('userNotFound')
    await work(transaction, user.id)
  })

const rolesOf = async (db: Kysely<Schema>, userId: string): Promise<RoleType[]> => {
  const rows = await db
    .selectFrom('user_roles')
    .select('role')
    .where('user_id', '=', userId)
    .orderBy('role')
    .execute()
  return rows.map(({ role }) => role)
}

const onUser = (userId: string) => ({
  subject: { type: 'user' as const, id: userId },
  ownerId: userId,
})

/** Grants a role, unless the user has it. Throws `userNotFound`. */
export const grantRole = (
  { db, keys }: OnRecord,
  { email, role, by }: { email: string; role: RoleType; by: Actor },
): Promise<void> =>
  withUser(db, email, async (transaction, user_id) => {
    const before = await rolesOf(transaction, user_id)
    if (before.includes(role)) return
    await transaction.insertInto('user_roles').values({ user_id, role }).execute()
    const after = await rolesOf(transaction, user_id)
    await record(transaction, keys, {
      by,
      action: 'role.granted',
      ...onUser(user_id),
      before: { roles: before },
      after: { roles: after },
    })
  })

/**
 * Revokes a role and ends the user's sessions, so that no call goes on with it. Throws
 * `userNotFound`.
 */
export const revokeRole = (
  { db, keys }: OnRecord,
  { email, role, by }: { email: string; role: RoleType; by: Actor },
): Promise<void> =>
  withUser(db, email, async (transaction, user_id) => {
    await endSessionsOf(transaction, user_id)
    const before = await rolesOf(transaction, user_id)
    if (!before.includes(role)) return
    await transaction
      .deleteFrom('user_roles')
      .where('user_id', '=', user_id)
      .where('role', '=', role)
      .execute()
    const after = await rolesOf(transaction, user_id)
    await record(transaction, keys, {
      by,
      action: 'role.revoked',
      ...onUser(user_id),
      before: { roles: before },
      after: { roles: after },
    })
  })

/**
 * Suspends a user from the next call on, until {@link resumeUser}. Money stays as it is. Throws
 * `userNotFound`.
 */
export const suspendUser = (
  { db, keys }: OnRecord,
  { email, by }: { email: string; by: Actor },
): Promise<void> =>
  withUser(db, email, async (transaction, userId) => {
    await endSessionsOf(transaction, userId)
    if (!(await setSuspended(transaction, userId, true))) return
    await record(transaction, keys, {
      by,
      action: 'user.suspended',
      ...onUser(userId),
      before: { suspended: false },
      after: { suspended: true },
    })
  })

/** Lets a suspended user sign in again. Throws `userNotFound`. */
export const resumeUser = (
  { db, keys }: OnRecord,
  { email, by }: { email: string; by: Actor },
): Promise<void> =>
  withUser(db, email, async (transaction, userId) => {
    if (!(await setSuspended(transaction, userId, false))) return
    await record(transaction, keys, {
      by,
      action: 'user.resumed',
      ...onUser(userId),
      before: { suspended: true },
      after: { suspended: false },
    })
  })

/** True when the user's state changed. */
const setSuspended = async (
  transaction: Kysely<Schema>,
  userId: string,
  suspended: boolean,
): Promise<boolean> => {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ suspended_at: suspended ? sql<Date>`now()` : null, updated_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .where('suspended_at', suspended ? 'is' : 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
