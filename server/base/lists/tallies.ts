/** Reads totals and figures from the database's tallies instead of the rows (decision 6). */
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'

/** A part of the tallies. */
export type Tally = {
  readonly noun:
    | 'transactions'
    | 'decisions'
    | 'fees'
    | 'investments'
    | 'maturities'
    | 'users'
    | 'wallets'
    | 'loans'
    | 'audit'
  /** Undefined selects all. So do undefined statuses. */
  readonly kinds?: readonly string[] | undefined
  readonly statuses?: readonly string[] | undefined
}

/** Creation moments from `from` on and before `to`. */
export type Span = { readonly from?: Date | undefined; readonly to?: Date | undefined }

/** Largest exact count of rows without a tally. */
export const MOST_COUNTED = 10_000

const DAY_MS = 86_400_000
const dayOf = (moment: Date): RawBuilder<unknown> => sql`utc_day(${moment}::timestamptz)`

/** SQL condition of a tally's rows in `tallies`, for any day. */
const partOf = ({ noun, kinds, statuses }: Tally): RawBuilder<SqlBool> => sql`(noun = ${noun}
  AND ${kinds ? sql`kind = ANY (${kinds})` : sql`true`} AND ${statuses ? sql`status = ANY (${statuses})` : sql`true`})`

/** Selects the days wholly inside a span. All days together have their own row. */
const within = ({ from, to }: Span): RawBuilder<SqlBool> => {
  if (!from && !to) return sql`day = '-infinity'`
  return sql`day > '-infinity' AND ${from ? sql`day >= ${dayOf(from)}` : sql`true`} AND ${to ? sql`day < ${dayOf(to)}` : sql`true`}`
}

/** Rows, or cents, of a tally over all days or over the whole days of a span. */
export const tallied = (
  of: 'rows' | 'cents' | 'interest',
  tally: Tally,
  span: Span = {},
): RawBuilder<bigint> =>
  sql`(SELECT coalesce(sum(${sql.ref(of)}), 0)::bigint FROM tallies WHERE ${partOf(tally)} AND ${within(span)})`

export const createdWithin = (table: string, { from, to }: Span): RawBuilder<SqlBool> => {
  const createdAt = sql.ref(`${table}.created_at`)
  return sql`${from ? sql`${createdAt} >= ${from}` : sql`true`} AND ${to ? sql`${createdAt} < ${to}` : sql`true`}`
}

type Counted<DB, Tables extends keyof DB> = {
  readonly table: string
  readonly matching: SelectQueryBuilder<DB, Tables, object>
  readonly span: Span
  /** Tally of these rows without the span. Undefined when none counts them. */
  readonly tally: Tally | undefined
}

/**
 * Counts rows in one snapshot: whole days from the tally, the rest of a span from the rows. Without
 * a tally, counting stops after {@link MOST_COUNTED} and one more.
 */
export const countOf = <DB, Tables extends keyof DB>({
  table,
  matching,
  span,
  tally,
}: Counted<DB, Tables>): RawBuilder<bigint> => {
  const rowsIn = (part: Span) =>
    sql<bigint>`(SELECT count(*) FROM (${matching.where(createdWithin(table, part)).select(sql`1`.as('one'))}) AS part)`
  if (!tally)
    return sql`(SELECT count(*) FROM (${matching
      .where(createdWithin(table, span))
      .select(sql`1`.as('one'))
      .limit(MOST_COUNTED + 1)}) AS found)`

  const first = span.from && new Date(Math.ceil(span.from.getTime() / DAY_MS) * DAY_MS)
  const last = span.to && new Date(Math.floor(span.to.getTime() / DAY_MS) * DAY_MS)
  if (first && last && first >= last) return rowsIn(span)
  const before =
    span.from && first && span.from < first ? rowsIn({ from: span.from, to: first }) : sql`0`
  const after = span.to && last && last < span.to ? rowsIn({ from: last, to: span.to }) : sql`0`
  return sql`(${tallied('rows', tally, { from: first, to: last })} + ${before} + ${after})`
}
