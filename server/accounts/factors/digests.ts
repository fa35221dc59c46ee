/** Digests of factors and recovery codes, for entries. `audit:check` compares them with rows. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/** The digest of a factor on record. */
export const factorDigest = async (db: Kysely<Schema>, id: string): Promise<string | undefined> => {
  const { rows } = await sql<{
    digest: string
  }>`SELECT factor_digest(f) AS digest FROM factors AS f WHERE id = ${id}`.execute(db)
  return rows[0]?.digest
}

/** The digest of a user's recovery codes. */
export const codesDigest = async (
  db: Kysely<Schema>,
  userId: string,
): Promise<string | undefined> => {
  const { rows } = await sql<{
    digest: string | null
  }>`SELECT codes_digest(${userId}) AS digest`.execute(db)
  return rows[0]?.digest ?? undefined
}
