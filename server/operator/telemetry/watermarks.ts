import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { tallied } from '../../base/lists/tallies.ts'
import { countMonthless } from '../../ledger/archive/months.ts'
import { selectLastCheck } from '../../ledger/check/checkAndRecord.ts'

/** Backlogs in seconds, 0 without one, and the last ledger check. Null before the first check. */
export type Watermarks = {
  readonly ledgerCheckAge: number | null
  /** 1 for a whole ledger, else 0. */
  readonly ledgerWhole: number | null
  readonly sealLag: number
  readonly maturityLag: number
  readonly jobLag: number
  readonly jobsFailed: number
  readonly pauses: number
  readonly wallets: number
  /** Unassigned wallets. */
  readonly walletsAvailable: number
  /** Movements whose month has no partition, at most 1,000. */
  readonly monthless: number
  /** Seconds since the price URLs of a coin gave a rate, the longest. Null without price URLs. */
  readonly priceLag: number | null
  /** Cents that investors owe for deposits that were taken back. */
  readonly claimsOpen: number
  /** Seconds since the day of the newest published liabilities began. Null before the first. */
  readonly liabilitiesAge: number | null
  /** Coins whose price URLs disagree. */
  readonly pricesApart: number
  /** Borrowers' interest ÷ promised interest of 90 days, at most 1. Null without promises. */
  readonly interestCovered: number | null
  /** Days of new interest in the free reserve. Null without new interest. */
  readonly reserveRunway: number | null
}

const DATABASE_TIMEOUT_MS = 2_000

const age = (moment: ReturnType<typeof sql>) =>
  sql`greatest(0, extract(epoch FROM now() - ${moment}))::float8`

/** Reads all values in one query, from indexes. Throws when the database exceeds the timeout. */
export const readWatermarks = async (db: Kysely<Schema>): Promise<Watermarks> => {
  const question = sql<Watermarks>`
    SELECT
      (SELECT ${age(sql`checked_at`)} FROM ${selectLastCheck} AS last) AS "ledgerCheckAge",
      (SELECT (finding IS NULL)::int FROM ${selectLastCheck} AS last) AS "ledgerWhole",
      coalesce((SELECT ${age(sql`min(e.created_at)`)} FROM audit_unsealed AS u JOIN audit_entries AS e ON e.id = u.entry_id), 0) AS "sealLag",
      coalesce((SELECT ${age(sql`min(matures_at)`)} FROM investments WHERE status = 'ACTIVE' AND matures_at <= now()), 0) AS "maturityLag",
      coalesce((SELECT ${age(sql`min(run_at)`)} FROM graphile_worker.jobs WHERE run_at <= now() AND locked_at IS NULL AND attempts < max_attempts), 0) AS "jobLag",
      (SELECT count(*)::int FROM graphile_worker.jobs WHERE attempts >= max_attempts) AS "jobsFailed",
      (SELECT count(*)::int FROM pauses WHERE paused_at IS NOT NULL) AS "pauses",
      ${tallied('rows', { noun: 'wallets', statuses: ['assigned', 'available'] })}::int AS "wallets",
      ${tallied('rows', { noun: 'wallets', statuses: ['available'] })}::int AS "walletsAvailable",
      (SELECT ${age(sql`min(whole_at)`)} FROM price_readings HAVING count(*) > 0) AS "priceLag",
      (SELECT coalesce(sum(open), 0)::float8 FROM claims WHERE open > 0) AS "claimsOpen",
      (SELECT ${age(sql`max(day) AT TIME ZONE 'UTC'`)} FROM liability_trees HAVING count(*) > 0) AS "liabilitiesAge",
      (SELECT count(*)::int FROM price_readings WHERE problem = 'apart') AS "pricesApart",
      (SELECT (figures #>> '{interest,covered90}')::float8 / 10000 FROM pool_figures) AS "interestCovered",
      (SELECT (figures #>> '{interest,runwayDays}')::float8 FROM pool_figures) AS "reserveRunway",
      ${countMonthless(1_000)} AS "monthless"`.execute(db)
  const late = new Promise<never>((_, reject) =>
    setTimeout(
      reject,
      DATABASE_TIMEOUT_MS,
      new Error('the database did not answer in time'),
    ).unref(),
  )
  const { rows } = await Promise.race([question, late])
  const [found] = rows
  if (!found) throw new Error('the database returned no row')
  return found
}
