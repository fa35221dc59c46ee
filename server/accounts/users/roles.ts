import type { RoleType } from '@pool/contract/accounts/users'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import type { MailContext } from '../mail/send.ts'
import { takeBack } from '../recovery/takeBack.ts'

/** A change of a user within a transaction. */
type Work = (transaction: Kysely<Schema>, userId: string) => Promise<unknown>

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

/** A user's roles. */
export const rolesOf = async (db: Kysely<Schema>, userId: string): Promise<RoleType[]> => {
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

/** A change of a user by an actor, in a transaction that holds the user's row. */
type OfUser = { readonly userId: string; readonly by: Actor }
type OfRole = OfUser & { readonly role: RoleType }
type Gift = OfRole & {
  /** The only super admin, who decided alone, so that both count as one person (T52). */
  readonly aloneBy?: string | null
}

/**
 * Throws `auditorOnly` for AUDITOR beside another role of staff. The caller holds the user's row,
 * so that no two grants pass at once.
 */
export const requireFitting = async (
  transaction: Kysely<Schema>,
  { userId, role }: Pick<OfRole, 'userId' | 'role'>,
): Promise<void> => {
  const isOther = (held: RoleType) => (held === 'AUDITOR') !== (role === 'AUDITOR')
  const staffRoles = (await rolesOf(transaction, userId)).filter((held) => held !== 'USER')
  if (role !== 'USER' && staffRoles.some(isOther)) throw refusal('auditorOnly')
}

/** Grants a role, unless the user has it. True when it did. Throws `auditorOnly`. */
export const giveRole = async (
  transaction: Kysely<Schema>,
  keys: Keys,
  { userId, role, by, aloneBy = null }: Gift,
): Promise<boolean> => {
  const before = await rolesOf(transaction, userId)
  if (before.includes(role)) return false
  await requireFitting(transaction, { userId, role })
  const alone_by = role === 'USER' ? null : aloneBy
  await transaction.insertInto('user_roles').values({ user_id: userId, role, alone_by }).execute()
  const after = await rolesOf(transaction, userId)
  await record(transaction, keys, {
    by,
    action: 'role.granted',
    ...onUser(userId),
    before: { roles: before },
    after: { roles: after },
  })
  return true
}

/** True while another super admin can sign in. */
const OTHER_SUPER_ADMIN = (userId: string) => sql<boolean>`EXISTS (
  SELECT FROM user_roles AS r JOIN users AS u ON u.id = r.user_id
  WHERE r.role = 'SUPER_ADMIN' AND r.user_id <> ${userId} AND u.suspended_at IS NULL)`

/**
 * Revokes a role and takes the account back, so that no call goes on with it. True when the user
 * had it. Throws `lastSuperAdmin`.
 */
export const takeRole = async (
  transaction: Kysely<Schema>,
  context: MailContext,
  { userId, role, by }: OfRole,
): Promise<boolean> => {
  // Ends of sessions come one at a time, so that two super admins cannot revoke each other.
  await takeBack(transaction, context, { userId, by, act: 'roleLost' })
  const before = await rolesOf(transaction, userId)
  if (!before.includes(role)) return false
  const { numDeletedRows } = await transaction
    .deleteFrom('user_roles')
    .where('user_id', '=', userId)
    .where('role', '=', role)
    .$if(role === 'SUPER_ADMIN', (query) => query.where(OTHER_SUPER_ADMIN(userId)))
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw refusal('lastSuperAdmin')
  const after = await rolesOf(transaction, userId)
  await record(transaction, context.keys, {
    by,
    action: 'role.revoked',
    ...onUser(userId),
    before: { roles: before },
    after: { roles: after },
  })
  return true
}

/**
 * Suspends a user from the next call on, and takes the account back for its owner. Money stays as
 * it is. True when the user was not suspended. Throws `lastSuperAdmin`.
 */
export const suspendAccount = async (
  transaction: Kysely<Schema>,
  context: MailContext,
  { userId, by }: OfUser,
): Promise<boolean> => {
  await takeBack(transaction, context, { userId, by, act: 'suspended' })
  const isSuperAdmin = (await rolesOf(transaction, userId)).includes('SUPER_ADMIN')
  if (isSuperAdmin && !(await hasOtherSuperAdmin(transaction, userId)))
    throw refusal('lastSuperAdmin')
  if (!(await setSuspended(transaction, userId, true))) return false
  await record(transaction, context.keys, {
    by,
    action: 'user.suspended',
    ...onUser(userId),
    before: { suspended: false },
    after: { suspended: true },
  })
  return true
}

/** True while a super admin other than this user can sign in. */
const hasOtherSuperAdmin = async (db: Kysely<Schema>, userId: string): Promise<boolean> => {
  const { rows } = await sql<{ has: boolean }>`SELECT ${OTHER_SUPER_ADMIN(userId)} AS has`.execute(
    db,
  )
  return rows[0]?.has === true
}

/** Lets a suspended user sign in again. True when the user was suspended. */
export const resumeAccount = async (
  transaction: Kysely<Schema>,
  keys: Keys,
  { userId, by }: OfUser,
): Promise<boolean> => {
  if (!(await setSuspended(transaction, userId, false))) return false
  await record(transaction, keys, {
    by,
    action: 'user.resumed',
    ...onUser(userId),
    before: { suspended: true },
    after: { suspended: false },
  })
  return true
}

type NamedUser = { readonly email: string; readonly by: Actor }
type NamedRole = NamedUser & { readonly role: RoleType }

/** Grants a role, for the operator. Throws `userNotFound` and `auditorOnly`. */
export const grantRole = ({ db, keys }: OnRecord, { email, ...rest }: NamedRole) =>
  withUser(db, email, (transaction, userId) => giveRole(transaction, keys, { userId, ...rest }))

/** Revokes a role, for the operator. Throws `userNotFound` and `lastSuperAdmin`. */
export const revokeRole = (context: MailContext, { email, ...rest }: NamedRole) =>
  withUser(context.db, email, (transaction, userId) =>
    takeRole(transaction, context, { userId, ...rest }),
  )

/** Suspends a user, for the operator. Throws `userNotFound` and `lastSuperAdmin`. */
export const suspendUser = (context: MailContext, { email, by }: NamedUser) =>
  withUser(context.db, email, (transaction, userId) =>
    suspendAccount(transaction, context, { userId, by }),
  )

/** Resumes a user, for the operator. Throws `userNotFound`. */
export const resumeUser = ({ db, keys }: OnRecord, { email, by }: NamedUser) =>
  withUser(db, email, (transaction, userId) => resumeAccount(transaction, keys, { userId, by }))

/** True while a user cannot sign in. */
export const isSuspended = async (db: Kysely<Schema>, userId: string): Promise<boolean> => {
  const user = await db
    .selectFrom('users')
    .select('suspended_at')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return user.suspended_at !== null
}

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
