/** Debts of the pool to each investor (docs/product.md 5.43). */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/** Cents that are owed to one investor, by where they lie. None is negative. */
export type Owed = {
  readonly available: bigint
  readonly held: bigint
  /** Approved withdrawals whose coins have not arrived. */
  readonly outgoing: bigint
  readonly invested: bigint
  /** Committed interest of active investments. */
  readonly interest: bigint
}

export type OwedTo = Owed & { readonly userId: string }

/** Investors that are read at once. */
const PORTION = 2_000

/** The number of investors who may be owed something: none of the others is. */
export const countOwed = async (snapshot: Kysely<Schema>): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM (
      SELECT owner_id FROM accounts WHERE kind IN ('available', 'held', 'invested') AND closed_at IS NULL AND balance > 0
      UNION SELECT user_id FROM transactions WHERE type = 'withdrawal' AND status IN ('APPROVED', 'PROCESSING')
      UNION SELECT user_id FROM transactions WHERE investment_status = 'ACTIVE') AS owed`.execute(
    snapshot,
  )
  return rows[0]?.count ?? 0
}

/**
 * The debts to every investor with an open account, in portions and in any order. `snapshot` is
 * a transaction, which may hold one such reading.
 */
export async function* readOwed(snapshot: Kysely<Schema>): AsyncGenerator<readonly OwedTo[]> {
  // The whole is wanted: a plan for the first rows reads the transactions of each one.
  await sql`SET LOCAL cursor_tuple_fraction = 1`.execute(snapshot)
  await sql`
    DECLARE owed NO SCROLL CURSOR FOR
    SELECT a.owner_id AS "userId", a.available, a.held, coalesce(o.cents, 0)::bigint AS outgoing, a.invested,
      coalesce(i.cents, 0)::bigint AS interest
    FROM (
      SELECT owner_id, coalesce(sum(balance) FILTER (WHERE kind = 'available'), 0)::bigint AS available,
        coalesce(sum(balance) FILTER (WHERE kind = 'held'), 0)::bigint AS held,
        coalesce(sum(balance) FILTER (WHERE kind = 'invested'), 0)::bigint AS invested
      FROM accounts WHERE kind IN ('available', 'held', 'invested') AND closed_at IS NULL GROUP BY owner_id
    ) AS a LEFT JOIN (
      SELECT user_id, sum(amount) AS cents FROM transactions
      WHERE type = 'withdrawal' AND status IN ('APPROVED', 'PROCESSING') GROUP BY user_id
    ) AS o ON o.user_id = a.owner_id LEFT JOIN (
      SELECT user_id, sum(interest) AS cents FROM transactions WHERE investment_status = 'ACTIVE' GROUP BY user_id
    ) AS i ON i.user_id = a.owner_id`.execute(snapshot)
  for (;;) {
    const { rows } = await sql<OwedTo>`FETCH ${sql.lit(PORTION)} FROM owed`.execute(snapshot)
    if (rows.length === 0) break
    yield rows
  }
  await sql`CLOSE owed`.execute(snapshot)
}
