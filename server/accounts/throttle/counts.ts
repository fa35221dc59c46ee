import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/** The most of what is counted, within a span of time from the first. */
export type Limit = {
  /** The kind of count and what it is about. Only their digest is stored. */
  readonly counted: readonly string[]
  readonly most: number
  readonly span: `${number} ${'minute' | 'minutes' | 'hour' | 'day'}`
}

/** Most rows after a clean-up. Deletes those with the oldest success first. */
const MOST_ROWS = 500_000

/** The key of a count in `login_throttles`. */
export const keyOf = (...counted: readonly string[]): Buffer =>
  createHash('sha256').update(JSON.stringify(counted)).digest()

/** Counts one more for all nodes. Returns 0, or the minutes to wait at the first limit reached. */
export const minutesToWait = async (
  db: Kysely<Schema>,
  ...limits: readonly Limit[]
): Promise<number> => {
  for (const { counted, most, span } of limits) {
    const { rows } = await sql<{
      seconds: number
    }>`SELECT admit_within(${keyOf(...counted)}, ${most}, ${span}::interval) AS seconds`.execute(db)
    const seconds = rows[0]?.seconds ?? 0
    if (seconds > 0) return Math.ceil(seconds / 60)
  }
  return 0
}

/** Takes one off each count. */
export const uncount = async (db: Kysely<Schema>, ...limits: readonly Limit[]): Promise<void> => {
  await db
    .updateTable('login_throttles')
    .set({ failures: sql<number>`greatest(failures - 1, 0)` })
    .where(
      'key',
      'in',
      limits.map(({ counted }) => keyOf(...counted)),
    )
    .execute()
}

/** Begins counts anew. */
export const forgetCounts = async (
  db: Kysely<Schema>,
  ...limits: readonly Pick<Limit, 'counted'>[]
): Promise<void> => {
  await db
    .deleteFrom('login_throttles')
    .where(
      'key',
      'in',
      limits.map(({ counted }) => keyOf(...counted)),
    )
    .execute()
}

/** Deletes expired counts and the surplus above `mostRows`. Returns their number. */
export const forgetOldCounts = async (
  db: Kysely<Schema>,
  mostRows = MOST_ROWS,
): Promise<number> => {
  const old = await sql`
    DELETE FROM login_throttles
    WHERE last_at < now() - interval '1 day' AND (succeeded_at IS NULL OR succeeded_at < now() - interval '90 days')`.execute(
    db,
  )
  const surplus = await sql`
    DELETE FROM login_throttles WHERE key IN (
      SELECT key FROM login_throttles ORDER BY succeeded_at DESC NULLS LAST, last_at DESC OFFSET ${mostRows})`.execute(
    db,
  )
  return Number(old.numAffectedRows ?? 0) + Number(surplus.numAffectedRows ?? 0)
}
