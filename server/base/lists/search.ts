/** SQL of searches. */
import { idSchema } from '@pool/contract/base/endpoint'
import { unified } from '@pool/contract/base/fields'
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** Full name of a user. Its collation sorts accents properly in every database. */
const fullName = sql`(users.first_name || ' ' || users.last_name) COLLATE "und-x-icu"`

/** Sort key for users by name. The index has the same expression. */
export const nameKey = sql`lower(${fullName})`

/** True when a text contains the search, in any case. `%`, `_` and `\` are literal. */
export const holds = (text: RawBuilder<unknown>, search: string): RawBuilder<SqlBool> =>
  sql`${text} ILIKE ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`

/** True when a user's email or name contains the search, in any form of Unicode. */
export const userHolds = (search: string): RawBuilder<SqlBool> => {
  const text = unified(search)
  // Names stay as they were typed. Without accents all forms are the same.
  const name = /[^ -~]/.test(text) ? sql`normalize(${fullName}, NFKC)` : fullName
  return sql`(${holds(sql`users.username`, text)} OR ${holds(name, text)})`
}

/** True when an id equals the search. */
export const isId = (id: string, search: string): RawBuilder<SqlBool> =>
  idSchema.safeParse(search).success ? sql`${sql.ref(id)} = ${search}::uuid` : sql`false`

/** A search that matches more users than this reads the rows instead. */
const FEW = 200

type OwnedSearch = {
  readonly table: 'transactions' | 'investments'
  /** Undefined matches every row. */
  readonly search: string | undefined
  /** The only owner whose rows the reader may see, if any. */
  readonly only: string | undefined
  /** A query for the ids of rows found by other columns. */
  readonly others: (search: string) => RawBuilder<unknown>
}

/**
 * True for rows of users who match the search, and for rows found by other columns. Looks the users
 * up first, since few users' rows have an index and many are met on any scan.
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
