/** Income and promises: of this month and the next days, and how long payouts took. */

import { timestampFromDate } from '@pool/contract/base/timestamp'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { COUNTED_DAYS, LIQUIDITY_DAYS, type PoolBook } from '@pool/contract/lending/poolBook'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { readSums } from '../../ledger/families/accounts.ts'
import { contributedSince, withdrawnSince } from '../../ledger/sums/contributed.ts'
import { typedInCents } from '../../ledger/sums/custody.ts'
import { TODAY, UNPAID } from '../loans/unpaid.ts'
import { dollars, shareOf } from './shares.ts'

type Db = Kysely<Schema>
type Sums = Awaited<ReturnType<typeof readSums>>

type MonthRow = {
  readonly begins: Date
  readonly paid: bigint
  readonly setAside: bigint
  readonly interest: bigint
  readonly recoveries: bigint
  readonly writtenOff: bigint
}

/**
 * The month so far, in UTC, by the moments of booking. Takes off what was reversed. A reversed
 * recovery leaves the reserve whole, also the part that went back to investors.
 */
export const readMonth = async (db: Db): Promise<PoolBook['month']> => {
  const begins = sql`date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`
  const interestOf = (noun: 'maturities' | 'investments') =>
    sql`(SELECT coalesce(sum(interest), 0)::bigint FROM tallies WHERE noun = ${sql.lit(noun)} AND day >= (${begins} AT TIME ZONE 'UTC')::date)`
  const booked = (received: 'interest' | 'kept', reversed: 'interest' | 'recovered') => {
    const sumOf = (table: 'loan_repayments' | 'loan_reversals', column: string) =>
      sql`(SELECT coalesce(sum(${sql.ref(column)}), 0) FROM ${sql.table(table)} WHERE created_at >= ${begins})`
    return sql`(${sumOf('loan_repayments', received)} - ${sumOf('loan_reversals', reversed)})::bigint`
  }
  const { rows } = await sql<MonthRow>`
    SELECT ${begins} AS begins, ${interestOf('maturities')} AS paid, ${interestOf('investments')} AS "setAside",
      ${booked('interest', 'interest')} AS interest, ${booked('kept', 'recovered')} AS recoveries,
      (SELECT coalesce(sum(principal), 0)::bigint FROM loan_write_offs WHERE created_at >= ${begins}) AS "writtenOff"`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw new Error('a month has a row')
  return {
    month: [row.begins.getUTCFullYear(), row.begins.getUTCMonth() + 1],
    paid: dollars(row.paid),
    setAside: dollars(row.setAside),
    interest: dollars(row.interest),
    recoveries: dollars(row.recoveries),
    capital: dollars(await contributedSince(db, row.begins)),
    withdrawn: dollars(await withdrawnSince(db, row.begins)),
    writtenOff: dollars(row.writtenOff),
  }
}

type CoinRow = {
  readonly network: string
  readonly asset: string
  readonly decimals: number
  readonly units: string
}

const readNetworks = async (db: Db): Promise<PoolBook['liquidity']['networks']> => {
  const { rows } = await sql<CoinRow>`
    SELECT line.network_name AS network, line.asset, coin.decimals, sum(line.chain)::text AS units
    FROM reconciled_lines AS line JOIN reconciled_coins AS coin USING (reconciliation_id, network_name, asset)
    WHERE reconciliation_id = (SELECT id FROM reconciliations ORDER BY at DESC, id DESC LIMIT 1)
    GROUP BY 1, 2, 3 HAVING sum(line.chain) > 0 ORDER BY 1, 2`.execute(db)
  return rows.map(({ decimals, units, ...row }) => ({
    ...row,
    units: textOfUnits(BigInt(units), decimals),
  }))
}

type AheadRow = { readonly days: number; readonly promised: bigint; readonly due: bigint }

/** Coins, what is owed, and what matures and is due in the next days. */
export const readLiquidity = async (db: Db, sums: Sums): Promise<PoolBook['liquidity']> => {
  const { committed, theirs, invested, coins } = sums
  const last = sql.lit(Math.max(...LIQUIDITY_DAYS))
  const { rows: past } = await sql<{ due: bigint; paid: bigint }>`
    SELECT coalesce(sum(i.principal + i.interest), 0)::bigint AS due, coalesce(sum(principal_paid + interest_paid), 0)::bigint AS paid
    FROM loan_instalments AS i
    WHERE NOT replaced AND due_on >= ${TODAY} - ${sql.lit(COUNTED_DAYS)}::int AND due_on < ${TODAY}`.execute(
    db,
  )
  const { rows } = await sql<AheadRow>`
    WITH due AS (
      SELECT i.due_on - ${TODAY} AS day, sum(${UNPAID})::bigint AS cents
      FROM loan_instalments AS i JOIN loans AS l ON l.id = i.loan_id LEFT JOIN loan_defaults AS f ON f.loan_id = l.id
      WHERE l.status = 'ACTIVE' AND NOT i.replaced AND i.due_on BETWEEN ${TODAY} AND ${TODAY} + ${last}::int GROUP BY 1
    ), matures AS (
      SELECT greatest((matures_at AT TIME ZONE 'UTC')::date - ${TODAY}, 0) AS day, sum(returned + interest)::bigint AS cents
      FROM investments WHERE status = 'ACTIVE' GROUP BY 1
    )
    SELECT days::int, coalesce((SELECT sum(cents) FROM matures WHERE day <= days), 0)::bigint AS promised,
      coalesce((SELECT sum(cents) FROM due WHERE day <= days), 0)::bigint AS due
    FROM unnest(ARRAY[${sql.join(LIQUIDITY_DAYS.map((days) => sql.lit(days)))}]) AS days ORDER BY days`.execute(
    db,
  )
  const { due: wasDue = 0n, paid = 0n } = past[0] ?? {}
  return {
    coins: dollars(coins),
    typed: dollars(await typedInCents(db)),
    owed: dollars(theirs),
    owedInAll: dollars(theirs + invested + committed),
    networks: await readNetworks(db),
    days: rows.map(({ days, promised, due }) => ({
      days,
      promised: dollars(promised),
      due: dollars(due),
      expected: wasDue === 0n ? null : dollars((due * paid) / wasDue),
    })),
    collected: shareOf(paid, wasDue),
  }
}

/**
 * Rounds seconds up to the unit in which the page tells them: minutes, from two hours on hours, and
 * from two days on days. Exact ones would tell everybody when another investor asked.
 */
const inUnits = (seconds: RawBuilder<unknown>) =>
  sql`(SELECT ceil(each / unit)::int * unit FROM (VALUES (${seconds})) AS of (each),
    LATERAL (SELECT CASE WHEN each < 7200 THEN 60 WHEN each < 172800 THEN 3600 ELSE 86400 END) AS by (unit))`

/**
 * Seconds from request to completion: of those that were completed in the last 90 days, and of
 * every unfinished one its age. A queue that stands still gets worse.
 */
export const readPayouts = async (db: Db): Promise<PoolBook['payouts']> => {
  const since = sql`now() - make_interval(days => ${sql.lit(COUNTED_DAYS)})`
  // The order is left on record alone (docs/product.md 5.40).
  const outOfOrder = (which: RawBuilder<unknown>) =>
    sql`(SELECT count(*)::int FROM audit_entries WHERE created_at >= ${since} AND after ? 'passedOver'
      AND action IN ('withdrawal.approved', 'withdrawal.sent', 'batch.made') AND ${which})`
  const { rows } = await sql<PoolBook['payouts']>`
    WITH asked AS (
      SELECT status = 'COMPLETED' AS done, extract(epoch FROM CASE WHEN status = 'COMPLETED' THEN completed_at ELSE now() END - created_at) AS seconds
      FROM transactions
      WHERE type = 'withdrawal' AND (status IN ('PENDING', 'APPROVED', 'PROCESSING')
        OR status = 'COMPLETED' AND completed_at >= ${since})
    )
    SELECT ${inUnits(sql`half`)} AS half, ${inUnits(sql`most`)} AS most, completed, open, ${inUnits(sql`oldest`)} AS oldest,
      (SELECT count(*)::int FROM transactions WHERE type = 'withdrawal' AND status = 'REJECTED'
        AND ending IS DISTINCT FROM 'cancelled' AND updated_at >= ${since}) AS refused,
      (SELECT count(*)::int FROM transactions WHERE type = 'withdrawal' AND status = 'RETURNED' AND returned_at >= ${since}) AS returned,
      ${outOfOrder(sql`true`)} AS "outOfOrder", ${outOfOrder(sql`after ? 'withoutReason'`)} AS "withoutReason"
    FROM (
      SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY seconds) AS half,
        percentile_disc(0.95) WITHIN GROUP (ORDER BY seconds) AS most,
        count(*) FILTER (WHERE done)::int AS completed, count(*) FILTER (WHERE NOT done)::int AS open,
        max(seconds) FILTER (WHERE NOT done) AS oldest
      FROM asked) AS figures`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an aggregate has a row')
  return row
}

type PlanRow = {
  readonly durationDays: number
  readonly rateBasisPoints: number
  readonly isOpen: boolean
  readonly startsAt: Date | null
}

/** The last comparison with the chains, and every version of a plan that has begun. */
export const readTrust = async (db: Db): Promise<PoolBook['trust']> => {
  const newest = await db
    .selectFrom('reconciliations')
    .select(['at', 'is_whole', 'break_cents'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { rows } = await sql<PlanRow>`
    SELECT duration_days AS "durationDays", rate_basis_points AS "rateBasisPoints", is_open AS "isOpen",
      CASE WHEN starts_at > '-infinity' THEN starts_at END AS "startsAt"
    FROM plans WHERE starts_at <= now() ORDER BY duration_days, starts_at DESC`.execute(db)
  return {
    reconciliation: newest
      ? {
          at: timestampFromDate(newest.at),
          isWhole: newest.is_whole,
          breaks: dollars(newest.break_cents),
        }
      : null,
    plans: rows.map(({ startsAt, ...plan }) => ({
      ...plan,
      startsAt: startsAt && timestampFromDate(startsAt),
    })),
  }
}
