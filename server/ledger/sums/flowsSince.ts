/** Sums by month and movement, for the report of a wind-down (docs/product.md 5.42). */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

type Flow = {
  /** As `2026-01`, UTC. */
  readonly month: string
  readonly movement: string
  readonly count: number
  /** Cents of the first transfer of each movement. */
  readonly amount: bigint
}

/** The movements since a moment, in order of month and name. */
export const readFlows = async (db: Kysely<Schema>, since: Date): Promise<readonly Flow[]> => {
  const { rows } = await sql<Flow>`
    SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, movement, count(*)::int AS count, sum(amount)::bigint AS amount
    FROM transfers WHERE created_at >= ${since} AND place = 1 GROUP BY 1, 2 ORDER BY 1, 2`.execute(
    db,
  )
  return rows
}
