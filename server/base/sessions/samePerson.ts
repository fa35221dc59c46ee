import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** True for accounts that count as one person in decisions of two. False for no account. */
export const isSamePerson = async (
  db: Kysely<Schema>,
  one: string | null,
  other: string,
): Promise<boolean> => {
  if (one === null) return false
  const { rows } = await sql<{ same: boolean }>`
    SELECT is_same_person(${one}, ${other}) AS same`.execute(db)
  return rows[0]?.same === true
}
