/** The days of new interest in the free reserve (docs/loans.md, "Who pays the interest"). */
import { LONGEST_RUNWAY, PACE_DAYS } from '@pool/contract/lending/poolBook'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/** The cents of interest that were set aside within so many days, today among them. */
export type Pace = { readonly interest: bigint; readonly days: number }

/** A pool younger than the days of the pace has days from its first investment on. */
export const PACE = `
SELECT coalesce(sum(interest) FILTER (WHERE day > utc_day(now()) - ${PACE_DAYS}), 0)::bigint AS interest,
  coalesce(least(${PACE_DAYS}, utc_day(now()) - min(day) + 1), ${PACE_DAYS})::integer AS days
FROM tallies WHERE noun = 'investments' AND day > '-infinity'`

export const readPace = async (db: Kysely<Schema>): Promise<Pace> => {
  const { rows } = await sql<Pace>`${sql.raw(PACE)}`.execute(db)
  return rows[0] ?? { interest: 0n, days: PACE_DAYS }
}

/** Whole days that free cents last at this pace, up to `LONGEST_RUNWAY`. Null without interest. */
export const runwayOf = (free: bigint, { interest, days }: Pace): number | null => {
  if (interest <= 0n) return null
  const lasts = (free * BigInt(days)) / interest
  return lasts > BigInt(LONGEST_RUNWAY) ? LONGEST_RUNWAY : Number(lasts)
}

/** The free reserve in cents, and the days that a plan asks of it. */
type AskedRunway = {
  readonly reserve: bigint
  readonly pace: Pace
  readonly leastRunway: number | null
}

/** True if the reserve would last too short a time once this interest is set aside, too. */
export const isTooShort = (
  { reserve, pace, leastRunway }: AskedRunway,
  interest: bigint,
): boolean => {
  const lasts = runwayOf(reserve - interest, { ...pace, interest: pace.interest + interest })
  return leastRunway !== null && lasts !== null && lasts < leastRunway
}
