/** What a search means in the database. */
import { idSchema } from '@pool/contract/endpoint'
import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** A user's name as it is read. Under this collation letters with accents sort and match as people expect, whatever the database's own is. */
const fullName = sql`(users.first_name || ' ' || users.last_name) COLLATE "und-x-icu"`

/** What users are sorted by when by name; the index has the same expression. */
export const nameKey = sql`lower(${fullName})`

/** Whether a text holds what was searched for, whatever the case; `%`, `_` and `\` mean themselves. */
export const holds = (text: RawBuilder<unknown>, search: string): RawBuilder<SqlBool> =>
  sql`${text} ILIKE ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`

/** Whether a row of `users` has this in its email or its name. */
const userHolds = (search: string): RawBuilder<SqlBool> => sql`(${holds(sql`users.username`, search)} OR ${holds(fullName, search)})`

/** The ids of the users who have this in their email or name; among one user alone when `only` is given. */
export const usersFound = (search: string, only?: string): RawBuilder<unknown> =>
  sql`SELECT users.id FROM users WHERE ${userHolds(search)} AND ${only === undefined ? sql`true` : sql`users.id = ${only}`}`

/** The id that a search is, if it is one, as one more part of a UNION. */
export const orItsId = (search: string): RawBuilder<unknown> =>
  idSchema.safeParse(search).success ? sql`UNION SELECT ${search}::uuid` : sql``
