/**
 * Reads what the database counts as it goes (server/tallies/tally.sql). Totals and figures are read
 * from here, not from the rows.
 */
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'

/** A part of what is tallied. */
export type Tally = {
  readonly noun:
    | 'transactions'
    | 'decisions'
    | 'investments'
    | 'maturities'
    | 'users'
    | 'wallets'
    | 'audit'
  /** All of them when it is not given; so too with statuses. */
  readonly kinds?: readonly string[] | undefined
  readonly statuses?: readonly string[] | undefined
}

/** Moments of creation: `from` and later, before `to`. */
export type Span = { readonly from?: Date | undefined; readonly to?: Date | undefined }

/** More rows than this are not counted one by one. */
export const MOST_COUNTED = 10_000

const DAY_MS = 86_400_000
const dayOf = (moment: Date): RawBuilder<unknown> => sql`utc_day(${moment}::timestamptz)`

/** The conditions under which a row of `tallies` is part of a tally, whatever its day. */
const partOf = ({ noun, kinds, statuses }: Tally): RawBuilder<SqlBool> => sql`(noun = ${noun}
  AND ${kinds ? sql`kind = ANY (${kinds})` : sql`true`} AND ${statuses ? sql`status = ANY (${statuses})` : sql`true`})`

/** The days that lie in a span as a whole; all days together have a row of their own. */
const within = ({ from, to }: Span): RawBuilder<SqlBool> => {
  if (!from && !to) return sql`day = '-infinity'`
  return sql`day > '-infinity' AND ${from ? sql`day >= ${dayOf(from)}` : sql`true`} AND ${to ? sql`day < ${dayOf(to)}` : sql`true`}`
}

/**
 * What a tally comes to, of all days or of those that lie in a span as a whole: a number of rows,
 * or an amount in cents.
 */
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
  /** What counts those rows, without the span; undefined where nothing does. */
  readonly tally: Tally | undefined
}

/**
 * How many rows match: exactly where a tally counts them, whole days by the tally and the rest of
 * the first and the last day by the rows; else as far as {@link MOST_COUNTED} and one more. One
 * expression, so that all of it is of one moment.
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
