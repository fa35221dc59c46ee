import { timestampFromDate } from '@pool/contract/timestamp'
import type { RoleType, User } from '@pool/contract/users'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

const users = (db: Kysely<Schema>) =>
  db
    .selectFrom('users')
    .select(({ selectFrom }) => [
      'users.id',
      'users.username',
      'users.first_name',
      'users.last_name',
      'users.created_at',
      'users.updated_at',
      selectFrom('user_roles')
        .whereRef('user_roles.user_id', '=', 'users.id')
        .select(sql<RoleType[]>`array_agg(role ORDER BY role)`.as('roles'))
        .as('roles'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof users>['executeTakeFirstOrThrow']>>

const onTheWire = (row: Row): User => ({
  id: row.id,
  username: row.username,
  detail: { firstName: row.first_name, lastName: row.last_name, email: row.username },
  roles: (row.roles ?? []).map((type) => ({ type })),
  dateCreated: timestampFromDate(row.created_at),
  lastUpdated: timestampFromDate(row.updated_at),
})

/** All users, newest first. */
export const listUsers = async (db: Kysely<Schema>): Promise<User[]> => {
  const rows = await users(db).orderBy('users.created_at', 'desc').orderBy('users.id', 'desc').execute()
  return rows.map(onTheWire)
}

export const findUser = async (db: Kysely<Schema>, id: string): Promise<User | undefined> => {
  const row = await users(db).where('users.id', '=', id).executeTakeFirst()
  return row && onTheWire(row)
}
