/** The payers of investors' interest, and the runway (docs/loans.md, "Who pays the interest"). */
import { COUNTED_DAYS, type PoolBook } from '@pool/contract/lending/poolBook'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { tallied } from '../../base/lists/tallies.ts'
import { readPace, runwayOf } from '../../ledger/families/runway.ts'
import { TODAY } from '../loans/unpaid.ts'
import { dollars, shareOf } from './shares.ts'

/** Cents of a month: interest promised to investors, and interest that borrowers paid. */
type Flow = { readonly promised: bigint; readonly income: bigint }

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/**
 * The cents of each month's promised interest that borrowers paid, oldest first. Income that a
 * month leaves over serves later months, never an earlier one: the operator had paid that one.
 */
export const coveredByIncome = (months: readonly Flow[]): readonly bigint[] => {
  let unused = 0n
  return months.map(({ promised, income }) => {
    unused += income
    const covered = unused > 0n ? least(promised, unused) : 0n
    unused -= covered
    return covered
  })
}

type MonthRow = Flow & { readonly year: number; readonly month: number }

/** Cents of repaid interest from a day on, less what was reversed, by the moment of booking. */
const INCOME = sql`
  SELECT utc_day(created_at) AS day, interest FROM loan_repayments WHERE interest > 0
  UNION ALL SELECT utc_day(created_at), -interest FROM loan_reversals WHERE interest > 0`

/** Every month since the first interest of either kind, oldest first. */
const readMonths = async (db: Kysely<Schema>): Promise<readonly MonthRow[]> => {
  const { rows } = await sql<MonthRow>`
    WITH flows AS (
      SELECT date_trunc('month', day)::date AS begins, interest AS promised, 0 AS income FROM tallies
      WHERE noun = 'investments' AND day > '-infinity'
      UNION ALL SELECT date_trunc('month', day)::date, 0, interest FROM (${INCOME}) AS paid
    )
    SELECT extract(year FROM begins)::int AS year, extract(month FROM begins)::int AS month,
      coalesce(sum(promised), 0)::bigint AS promised, coalesce(sum(income), 0)::bigint AS income
    FROM (SELECT generate_series(min(begins), date_trunc('month', ${TODAY}), interval '1 month')::date AS begins FROM flows) AS months
    LEFT JOIN flows USING (begins) GROUP BY begins ORDER BY begins`.execute(db)
  return rows
}

type SumsRow = {
  readonly paid: bigint
  readonly promised: bigint
  readonly income: bigint
  readonly atWork: bigint
  readonly yearly: bigint
}

/** `yearly` is what active investments would earn in a year at their rates, without compounding. */
const readSums = async (db: Kysely<Schema>): Promise<SumsRow> => {
  const since = sql`(${TODAY} - ${sql.lit(COUNTED_DAYS - 1)}::int)`
  const { rows } = await sql<SumsRow>`
    SELECT ${tallied('interest', { noun: 'maturities' })} AS paid,
      (SELECT coalesce(sum(interest), 0)::bigint FROM tallies WHERE noun = 'investments' AND day >= ${since}) AS promised,
      (SELECT coalesce(sum(interest), 0)::bigint FROM (${INCOME}) AS paid WHERE day >= ${since}) AS income,
      coalesce(sum(cents), 0)::bigint AS "atWork", coalesce(sum(interest * 365 / kind::numeric), 0)::bigint AS yearly
    FROM tallies WHERE noun = 'investments' AND day = '-infinity' AND status = 'ACTIVE'`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an aggregate has a row')
  return row
}

const sumOf = (all: readonly bigint[]): bigint => all.reduce((sum, each) => sum + each, 0n)

/** Interest by who paid it, and the days that the free reserve lasts. `free` is in cents. */
export const readInterest = async (
  db: Kysely<Schema>,
  free: bigint,
): Promise<PoolBook['interest']> => {
  const months = await readMonths(db)
  const covered = coveredByIncome(months)
  const sums = await readSums(db)
  const pace = await readPace(db)
  const income = sums.income > 0n ? sums.income : 0n
  return {
    promised: dollars(sumOf(months.map(({ promised }) => promised))),
    paid: dollars(sums.paid),
    fromBorrowers: dollars(sumOf(covered)),
    pace: { days: pace.days, promised: dollars(pace.interest) },
    runwayDays: runwayOf(free, pace),
    covered90: shareOf(least(income, sums.promised), sums.promised),
    planRate: shareOf(sums.yearly, sums.atWork),
    months: months.map(({ year, month, promised, income }, place) => ({
      month: [year, month],
      promised: dollars(promised),
      income: dollars(income),
      fromBorrowers: dollars(covered[place] ?? 0n),
    })),
  }
}

/** Losses since the beginning, and who bore them. Investors keep what a reversal takes back. */
export const readLosses = async (db: Kysely<Schema>): Promise<PoolBook['losses']> => {
  const sumOf = (amount: string, rows: string) =>
    sql`(SELECT coalesce(sum(${sql.raw(amount)}), 0)::bigint FROM ${sql.raw(rows)})`
  const { rows } = await sql<Record<keyof PoolBook['losses'], bigint>>`
    SELECT ${sumOf('principal', 'loan_write_offs')} AS "writtenOff", ${sumOf('amount', 'loss_sharings')} AS borne,
      ${sumOf('recovered', 'loan_repayments WHERE NOT reversed')} AS recovered,
      ${sumOf('recovered - kept', 'loan_repayments')} AS returned`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a sum has a row')
  return {
    writtenOff: dollars(row.writtenOff),
    borne: dollars(row.borne),
    recovered: dollars(row.recovered),
    returned: dollars(row.returned),
  }
}
