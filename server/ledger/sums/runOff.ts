/** Sums that a pool that winds down has still to pay, by account (docs/product.md 5.42). */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/** Cents, and the investors who have a balance. */
export type RunOff = Readonly<
  Record<
    | 'invested'
    | 'committed'
    | 'held'
    | 'outgoing'
    | 'available'
    | 'reserve'
    | 'outstanding'
    | 'taken',
    bigint
  >
> & { readonly holders: number }

/** Reads all accounts, so it is for staff alone. */
export const readRunOff = async (db: Kysely<Schema>): Promise<RunOff> => {
  const sum = (kind: string) =>
    sql`coalesce(sum(balance) FILTER (WHERE kind = ${sql.lit(kind)}), 0)::bigint AS ${sql.ref(kind)}`
  const { rows } = await sql<RunOff>`
    SELECT ${sum('invested')}, ${sum('committed')}, ${sum('held')}, ${sum('outgoing')}, ${sum('available')}, ${sum('reserve')},
      (count(*) FILTER (WHERE kind = 'available' AND balance > 0))::int AS holders,
      (SELECT coalesce(sum(outstanding), 0)::bigint FROM loans) AS outstanding,
      (SELECT coalesce(sum(amount), 0)::bigint FROM capital_withdrawals) AS taken
    FROM accounts`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the pool has no accounts')
  return row
}

/** The cents that an investor can spend. */
export type Left = { readonly id: string; readonly email: string; readonly balance: bigint }

/** Investors with a balance, and if they may withdraw now. */
export const readLeft = async (
  db: Kysely<Schema>,
): Promise<readonly (Left & { readonly isFree: boolean })[]> => {
  const { rows } = await sql<Left & { readonly isFree: boolean }>`
    SELECT u.id, u.username AS email, a.balance, u.frozen_at IS NULL AND u.suspended_at IS NULL
      AND coalesce(u.withdrawals_rest_until <= now(), true) AND NOT EXISTS (SELECT FROM claims WHERE user_id = u.id AND open > 0) AS "isFree"
    FROM accounts AS a JOIN users AS u ON u.id = a.owner_id WHERE a.kind = 'available' AND a.balance > 0 ORDER BY u.id`.execute(
    db,
  )
  return rows
}
