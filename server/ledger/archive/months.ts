/** Movements are divided by the month of their reference (docs/partitions.md). */
import { type Kysely, sql } from 'kysely'
import { DatabaseError } from 'pg'
import type { Schema } from '../../base/db/schema.ts'

/** SQLSTATE of a lock that was not free in time. */
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Makes the partitions of the coming months, and returns their number. Leaves them to the next call
 * while others read the table for long, since postings would wait behind it.
 */
export const makeMonths = async (db: Kysely<Schema>): Promise<number> => {
  try {
    const { rows } = await sql<{ made: number }>`SELECT make_months() AS made`.execute(db)
    return rows[0]?.made ?? 0
  } catch (error) {
    if (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE) return 0
    throw error
  }
}

/**
 * Keeps months from being archived until the transaction ends. Call it before the first query of a
 * snapshot: one that is older than an archive misses the month in both places.
 */
export const holdMonths = async (transaction: Kysely<Schema>): Promise<void> =>
  void (await sql`LOCK TABLE movements IN ACCESS SHARE MODE`.execute(transaction))

/** Counts movements whose month has no partition, up to `most`, as SQL. */
export const countMonthless = (most: number) => sql<number>`(SELECT count(*)::int FROM (
  SELECT FROM movements WHERE reference_id >= (SELECT begins FROM movement_months WHERE ends IS NULL) LIMIT ${sql.lit(most)}
) AS monthless)`

/** True when the movements of a transaction or investment were moved to an archive. */
export const isArchived = async (db: Kysely<Schema>, referenceId: string): Promise<boolean> => {
  const month = await db
    .selectFrom('archived_months')
    .select('month')
    .where('until_id', '>', referenceId)
    .limit(1)
    .executeTakeFirst()
  return month !== undefined
}
