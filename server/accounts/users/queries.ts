import type { listUsers as endpoint, OwnUser, RoleType, User } from '@pool/contract/accounts/users'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { LaggingReads } from '../../base/db/replica.ts'
import type { Schema } from '../../base/db/schema.ts'
import { laggingFor } from '../../base/lists/lagging.ts'
import { given, list, type SortKey } from '../../base/lists/list.ts'
import { isId, nameKey, userHolds } from '../../base/lists/search.ts'

type Request = z.infer<typeof endpoint.query>

const sorts: Readonly<Record<Request['sort'], SortKey>> = {
  createdAt: { by: sql`users.created_at`, type: 'timestamptz' },
  name: { by: nameKey, type: 'text' },
}

const withRoles = (users: SelectQueryBuilder<Schema, 'users', object>) =>
  users.select(({ selectFrom }) => [
    'users.id',
    'users.username',
    'users.first_name',
    'users.last_name',
    'users.created_at',
    'users.updated_at',
    'users.suspended_at',
    'users.closed_at',
    selectFrom('user_roles')
      .whereRef('user_roles.user_id', '=', 'users.id')
      .select(sql<RoleType[]>`array_agg(role ORDER BY role)`.as('roles'))
      .as('roles'),
  ])

type UserRow = Awaited<ReturnType<ReturnType<typeof withRoles>['executeTakeFirstOrThrow']>>

const onTheWire = (row: UserRow): User => ({
  id: row.id,
  username: row.username,
  detail: { firstName: row.first_name, lastName: row.last_name, email: row.username },
  roles: (row.roles ?? []).map((type) => ({ type })),
  dateCreated: timestampFromDate(row.created_at),
  lastUpdated: timestampFromDate(row.updated_at),
  suspended: row.suspended_at !== null,
  closed: row.closed_at !== null,
})

/** Lists users in the requested order. */
export const listUsers = (db: Kysely<Schema>, request: Request, lagging?: LaggingReads) =>
  list({
    db,
    lagging: laggingFor(lagging, request, 'mixed'),
    request,
    table: 'users',
    sorts,
    matching: db
      .selectFrom('users')
      .where(
        given(
          request.role,
          (role) => sql`users.id IN (SELECT user_id FROM user_roles WHERE role = ANY (${role}))`,
        ),
      )
      .where(
        given(
          request.search,
          (search) => sql`(${userHolds(search)} OR ${isId('users.id', search)})`,
        ),
      ),
    tally:
      request.search === undefined && request.role === undefined ? { noun: 'users' } : undefined,
    present: withRoles,
    onTheWire,
  })

/** A frozen account has no rights of staff. */
const withoutStaff = (row: UserRow): UserRow => ({
  ...row,
  roles: (row.roles ?? []).filter((role) => role === 'USER'),
})

/** A user's roles, as granted. Undefined for no user. */
export const rolesOf = async (
  db: Kysely<Schema>,
  id: string,
): Promise<readonly RoleType[] | undefined> => {
  const row = await withRoles(db.selectFrom('users')).where('users.id', '=', id).executeTakeFirst()
  return row && (row.roles ?? [])
}

/** A user's own record. */
export const findUser = async (db: Kysely<Schema>, id: string): Promise<OwnUser | undefined> => {
  const row = await withRoles(db.selectFrom('users'))
    .select(
      sql<Date | null>`CASE WHEN withdrawals_rest_until > now() THEN withdrawals_rest_until END`.as(
        'rests_until',
      ),
    )
    .select(['users.frozen_at', 'users.email_confirmed_at'])
    .select(
      sql<bigint>`(SELECT coalesce(sum(open), 0)::bigint FROM claims WHERE user_id = users.id AND open > 0)`.as(
        'owes',
      ),
    )
    .where('users.id', '=', id)
    .executeTakeFirst()
  return (
    row && {
      ...onTheWire(row.frozen_at === null ? row : withoutStaff(row)),
      withdrawalsRestUntil: row.rests_until && timestampFromDate(row.rests_until),
      owes: dollarsFromCents(cents(row.owes)),
      frozen: row.frozen_at !== null,
      emailConfirmed: row.email_confirmed_at !== null,
    }
  )
}
