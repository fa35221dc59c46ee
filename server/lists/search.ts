/** What a search means in the database. */
import { idSchema } from '@pool/contract/endpoint'
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/**
 * A user's name as it is read. Under this collation letters with accents sort and match as people
 * expect, whatever the database's own is.
 */
const fullName = sql`(users.first_name || ' ' || users.last_name) COLLATE "und-x-icu"`

/** What users are sorted by when by name; the index has the same expression. */
export const nameKey = sql`lower(${fullName})`

/**
 * Whether a text holds what was searched for, whatever the case; `%`, `_` and `\` mean themselves.
 */
export const holds = (text: RawBuilder<unknown>, search: string): RawBuilder<SqlBool> =>
  sql`${text} ILIKE ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`

/** Whether a row of `users` has this in its email or its name. */
export const userHolds = (search: string): RawBuilder<SqlBool> =>
  sql`(${holds(sql`users.username`, search)} OR ${holds(fullName, search)})`

/** Whether an id is what was searched for. */
export const isId = (id: string, search: string): RawBuilder<SqlBool> =>
  idSchema.safeParse(search).success ? sql`${sql.ref(id)} = ${search}::uuid` : sql`false`

/** A search that finds more users than this is answered from the rows, not from the users. */
const FEW = 200

type OwnedSearch = {
  readonly table: 'transactions' | 'investments'
  /** Without a search, every row is found. */
  readonly search: string | undefined
  /** The only owner whose rows the reader may see, if there is one. */
  readonly only: string | undefined
  /** A query for the ids of the rows that are found by something else than their owner. */
  readonly others: (search: string) => RawBuilder<unknown>
}

/**
 * Whether a row is one of a user's who has this in the email or the name, or is found otherwise.
 * The users are looked up first: the rows of a few are read through their index, while those of
 * many are met soon on any way through the table.
 */
export const ownedSearch = async (
  db: Kysely<Schema>,
  { table, search, only, others }: OwnedSearch,
): Promise<RawBuilder<SqlBool>> => {
  if (search === undefined) return sql`true`
  const found = db
    .selectFrom('users')
    .select('users.id')
    .where(userHolds(search))
    .$if(only !== undefined, (query) => query.where('users.id', '=', only ?? ''))
  const owners = await found.limit(FEW + 1).execute()
  const [id, owner, rows] = [sql.ref(`${table}.id`), sql.ref(`${table}.user_id`), sql.table(table)]
  return owners.length > FEW
    ? sql`(${owner} IN (${found}) OR ${id} IN (${others(search)}))`
    : sql`${id} IN (SELECT id FROM ${rows} WHERE user_id = ANY (${owners.map((user) => user.id)}) UNION ${others(search)})`
}
