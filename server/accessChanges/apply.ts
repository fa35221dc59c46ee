import type { AccessChangeKind } from '@pool/contract/accessChanges'
import { refusal } from '@pool/contract/refusals'
import type { RoleType } from '@pool/contract/users'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Keys } from '../keys/keys.ts'
import type { Actor, Caller } from '../sessions/actor.ts'
import { mayAct } from '../sessions/sessions.ts'
import { giveRole, letIn, shutOut, takeRole } from '../users/roles.ts'

/** A change of a user that is in force at once. A reset of second factors rests first. */
export type Change = {
  readonly userId: string
  readonly kind: Exclude<AccessChangeKind, 'RESET_FACTORS' | 'INVITE'>
  readonly role: RoleType | null
}

/**
 * Locks a user's row, then waits for open groups, as every end of sessions does. Changes of access
 * so come one at a time, on every node. Throws `userNotFound` and `accountClosed`.
 */
export const holdUser = async (transaction: Kysely<Schema>, userId: string): Promise<void> => {
  const user = await transaction
    .selectFrom('users')
    .select('closed_at')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!user) throw refusal('userNotFound')
  if (user.closed_at !== null) throw refusal('accountClosed')
  await holdSessions(transaction)
}

/** Waits for open groups, as {@link holdUser} does, for a change without a user. */
export const holdSessions = async (transaction: Kysely<Schema>): Promise<void> => {
  await sql`SELECT pg_advisory_xact_lock(7031987)`.execute(transaction)
}

/**
 * Throws `unauthenticated` once the caller's session has ended, as by a revoked role. The change
 * may end it, so entries after it do not ask again.
 */
export const requireSession = async (transaction: Kysely<Schema>, by: Caller): Promise<void> => {
  if (by.session !== undefined && !(await mayAct(transaction, by.session)))
    throw refusal('unauthenticated')
}

/** True when a change would change nothing. */
export const isNeedless = async (
  transaction: Kysely<Schema>,
  {
    userId,
    kind,
    role,
  }: Omit<Change, 'kind'> & {
    readonly kind: Exclude<AccessChangeKind, 'INVITE'>
  },
): Promise<boolean> => {
  const { suspended_at, has_role, has_factor } = await transaction
    .selectFrom('users')
    .select([
      'suspended_at',
      sql<boolean>`EXISTS (SELECT FROM user_roles WHERE user_id = users.id AND role = ${role})`.as(
        'has_role',
      ),
      sql<boolean>`EXISTS (SELECT FROM factors WHERE user_id = users.id)`.as('has_factor'),
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const isSo = {
    GRANT: has_role,
    REVOKE: !has_role,
    SUSPEND: suspended_at !== null,
    RESUME: suspended_at === null,
    RESET_FACTORS: !has_factor,
  }
  return isSo[kind]
}

/** Puts a change in force. Throws `accessChangeNeedless`, `auditorOnly`, `lastSuperAdmin`. */
export const applyChange = async (
  transaction: Kysely<Schema>,
  keys: Keys,
  { userId, kind, role, by }: Change & { readonly by: Actor },
): Promise<void> => {
  const isChanged = await {
    GRANT: () => role && giveRole(transaction, keys, { userId, role, by }),
    REVOKE: () => role && takeRole(transaction, keys, { userId, role, by }),
    SUSPEND: () => shutOut(transaction, keys, { userId, by }),
    RESUME: () => letIn(transaction, keys, { userId, by }),
  }[kind]()
  if (!isChanged) throw refusal('accessChangeNeedless')
}
