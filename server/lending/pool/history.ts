/** Defaults and losses by the time of the disbursement (docs/loans.md, "Figures of the pool"). */
import { FEWEST_LOANS, type PoolBook, VINTAGE_MONTHS } from '@pool/contract/lending/poolBook'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { TODAY } from '../loans/unpaid.ts'
import { dollars, shareOf } from './shares.ts'

type YearRow = {
  readonly year: number
  readonly takenOver: boolean
  readonly loans: number
  readonly disbursed: bigint
  readonly late: number
  readonly defaults: number
  readonly exposure: bigint
}

/** Loans `l` that ran before the pool took them over. They are rows of their own. */
const TAKEN_OVER = sql`l.taken_over_on IS NOT NULL AS "takenOver"`

/** Years of disbursement, the newest first. A default stays in its year. */
export const readYears = async (db: Kysely<Schema>): Promise<PoolBook['years']> => {
  const { rows } = await sql<YearRow>`
    SELECT extract(year FROM d.disbursed_on)::int AS year, ${TAKEN_OVER}, count(*)::int AS loans, sum(d.principal)::bigint AS disbursed,
      count(m.loan_id)::int AS late, count(f.loan_id)::int AS defaults, coalesce(sum(f.principal), 0)::bigint AS exposure
    FROM loan_disbursements AS d JOIN loans AS l ON l.id = d.loan_id LEFT JOIN loan_defaults AS f ON f.loan_id = d.loan_id
    LEFT JOIN (SELECT DISTINCT loan_id FROM loan_moves WHERE bucket IN ('late31', 'late61', 'late91')) AS m ON m.loan_id = d.loan_id
    GROUP BY 1, 2 ORDER BY 1 DESC, 2`.execute(db)
  return rows.map(({ disbursed, exposure, ...row }) => ({
    ...row,
    disbursed: dollars(disbursed),
    exposure: dollars(exposure),
  }))
}

/** Most quarters that are shown. */
const QUARTERS = 12

type VintageRow = {
  readonly year: number
  readonly quarter: number
  readonly takenOver: boolean
  readonly loans: number
  readonly disbursed: bigint
  readonly exposures: readonly (string | null)[]
  readonly writtenOff: bigint
  readonly recovered: bigint
}

/**
 * Quarters of disbursement, the newest first. A cell is null until the last loan of its quarter has
 * been on the book for so long, and for a quarter of few loans.
 */
export const readVintages = async (db: Kysely<Schema>): Promise<PoolBook['vintages']> => {
  const cells = VINTAGE_MONTHS.map((months) => {
    const within = sql`make_interval(months => ${sql.lit(months)})`
    return sql`CASE WHEN date_trunc('quarter', min(d.disbursed_on)) + interval '3 months' + ${within} <= ${TODAY}
      THEN coalesce(sum(f.principal) FILTER (WHERE f.defaulted_on <= d.disbursed_on + ${within}), 0)::text END`
  })
  const { rows } = await sql<VintageRow>`
    SELECT extract(year FROM d.disbursed_on)::int AS year, extract(quarter FROM d.disbursed_on)::int AS quarter, ${TAKEN_OVER},
      count(*)::int AS loans, sum(d.principal)::bigint AS disbursed, jsonb_build_array(${sql.join(cells)}) AS exposures,
      sum(l.written_off)::bigint AS "writtenOff", sum(l.recovered)::bigint AS recovered
    FROM loan_disbursements AS d JOIN loans AS l ON l.id = d.loan_id LEFT JOIN loan_defaults AS f ON f.loan_id = d.loan_id
    GROUP BY 1, 2, 3 ORDER BY 1 DESC, 2 DESC, 3 LIMIT ${QUARTERS}`.execute(db)
  return rows.map(({ disbursed, exposures, writtenOff, recovered, ...row }) => ({
    ...row,
    disbursed: dollars(disbursed),
    defaulted: exposures.map((exposure) =>
      exposure === null || row.loans < FEWEST_LOANS ? null : shareOf(BigInt(exposure), disbursed),
    ),
    writtenOff: dollars(writtenOff),
    recovered: dollars(recovered),
  }))
}
