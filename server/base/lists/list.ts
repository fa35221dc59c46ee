/**
 * Lists paged by keyset in the database. A page begins after the last row of the one before. So
 * rows that come or go shift no page.
 */
import { idSchema } from '@pool/contract/base/endpoint'
import type { ListRequest, Page } from '@pool/contract/base/lists'
import { refusal } from '@pool/contract/base/refusals'
import { MOST_SORTED, sortsOfAnySize } from '@pool/contract/base/sorting'
import * as validation from '@pool/contract/base/validation'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { LaggingReads } from '../db/replica.ts'
import type { Schema } from '../db/schema.ts'
import { BATCH, type ListStream, streamLagging, streamRows } from './stream.ts'
import { countOf, createdWithin, MOST_COUNTED, type Tally, tallied } from './tallies.ts'

/**
 * A sort key: an expression and its type. Those of `sortsOfAnySize` are indexed together with the
 * id.
 */
export type SortKey = {
  readonly by: RawBuilder<unknown>
  readonly type: 'timestamptz' | 'bigint' | 'text'
}

type Listing<
  Sort extends string,
  From,
  FromTables extends keyof From,
  To,
  ToTables extends keyof To,
  Row,
  Wire,
> = {
  readonly db: Kysely<Schema>
  /** Reads rows that may lag. Undefined reads them from `db`. */
  readonly lagging?: LaggingReads | undefined
  readonly request: ListRequest<Sort>
  /** The listed table, with an `id` and a `created_at`. */
  readonly table: string
  /** Type of the id, by default `uuid`. */
  readonly idType?: 'uuid' | 'bigint'
  readonly sorts: Readonly<Record<Sort, SortKey>>
  /** Matching rows without a selection, for counting. */
  readonly matching: SelectQueryBuilder<From, FromTables, object>
  /** A filter that no index serves, of short lists only, with the field that asks for it. */
  readonly unindexed?: { readonly where: RawBuilder<SqlBool>; readonly field: string } | undefined
  /** Tally that counts these rows. Undefined when none does. */
  readonly tally: Tally | undefined
  /** The same rows with the columns of the response. */
  readonly present: (
    matching: SelectQueryBuilder<From, FromTables, object>,
  ) => SelectQueryBuilder<To, ToTables, Row>
  readonly onTheWire: (row: Row) => Wire
  /** Adds what one more query reads for all rows of a page. */
  readonly complete?: ((page: readonly Wire[]) => Promise<Wire[]>) | undefined
}

/** A list's rows with their page, or a stream for a long list without a page. */
export type ListResult<Wire> =
  | { readonly rows: Wire[]; readonly page?: Page }
  | { readonly stream: ListStream<Wire> }

/**
 * Rows of a list in the requested order: all, or with a limit one page and the total. Throws
 * `validation` for a cursor of another list, and for a list too long to sort or to filter.
 */
export const list = async <
  Sort extends string,
  From,
  FromTables extends keyof From,
  To,
  ToTables extends keyof To,
  Row,
  Wire,
>(
  listing: Listing<Sort, From, FromTables, To, ToTables, Row, Wire>,
): Promise<ListResult<Wire>> => {
  // Long: one query, built in the order of its clauses, and its page.
  const { db, lagging, request, table, idType = 'uuid', unindexed, present, onTheWire } = listing
  const { sort, order, limit, cursor } = request
  const { by, type } = listing.sorts[sort]
  const id = sql<string>`${sql.ref(`${table}.id`)}`
  // A list of unknown length begins on the primary.
  const read: LaggingReads['read'] =
    lagging && limit !== undefined ? lagging.read : (work) => work(db)

  const after =
    cursor === undefined ? sql<SqlBool>`true` : isAfter({ by, id, type, idType }, request)
  const isSorted = sortsOfAnySize.includes(sort)
  if (unindexed || !isSorted) {
    const indexed = listing.matching.where(createdWithin(table, request))
    const beyond = sql`SELECT FROM (${indexed.select(sql`1`.as('one'))}) AS found OFFSET ${MOST_SORTED} LIMIT 1`
    if ((await read((source) => beyond.execute(source))).rows.length > 0)
      throw refusal(
        'validation',
        isSorted && unindexed
          ? { message: validation.tooManyToFilter, field: unindexed.field }
          : { message: validation.tooManyToSort, field: 'sort' },
      )
  }
  const matching = unindexed ? listing.matching.where(unindexed.where) : listing.matching
  // No tally counts the rows of such a filter.
  const tally = unindexed ? undefined : listing.tally
  const found = matching.where(createdWithin(table, request)).where(after)
  const ordered = present(found).orderBy(by, order).orderBy(id, order)
  if (limit === undefined) {
    const first = await ordered.limit(BATCH + 1).execute()
    if (first.length <= BATCH) return { rows: first.map(onTheWire) }
    const query = sql<Row>`${ordered}`
    const all = lagging ? streamLagging(lagging, query) : streamRows(db, query)
    return { stream: (take) => all((rows) => take(rows.map(onTheWire))) }
  }

  const counted = sql<{
    total: bigint
  }>`SELECT ${countOf({ table, matching, span: request, tally })} AS total`
  // Selects the page's rows first, so that PostgreSQL plans their joins for few rows.
  const chosen = found
    // Reads no row when the tally is zero.
    .where(tally ? sql<SqlBool>`${tallied('rows', tally)} > 0` : sql<SqlBool>`true`)
    .orderBy(by, order)
    .orderBy(id, order)
    .limit(limit + 1)
    .selectAll()
  type Placed = Row & { readonly sortValue: string; readonly sortId: string }
  const placed = present(inPlaceOf(db, table, chosen))
    .orderBy(by, order)
    .orderBy(id, order)
    .select([textOf[type](by).as('sortValue'), sql<string>`${id}::text`.as('sortId')])
  const [{ rows: counts }, { rows: page }] = await read((source) =>
    Promise.all([
      counted.execute(source),
      limit === 0 ? { rows: [] } : sql<Placed>`${placed}`.execute(source),
    ]),
  )
  const rows = page.slice(0, limit)
  const last = page.length > limit ? rows.at(-1) : undefined
  const next = last ? cursorAt(request, last.sortValue, last.sortId) : null
  const wires = rows.map(onTheWire)
  return {
    rows: listing.complete ? await listing.complete(wires) : wires,
    page: { ...totalOf(Number(counts[0]?.total ?? 0), tally), next },
  }
}

/** A query of a few rows under the table's own name, so that the same expressions fit. */
const inPlaceOf = <From, FromTables extends keyof From>(
  db: Kysely<Schema>,
  table: string,
  few: SelectQueryBuilder<From, FromTables, unknown>,
) =>
  db.selectFrom(sql`(${few})`.as(sql.id(table))) as unknown as SelectQueryBuilder<
    From,
    FromTables,
    object
  >

/** Passes on all rows of a list, in batches if streamed. */
export const takeRows = <Wire>(
  listed: ListResult<Wire>,
  take: (rows: readonly Wire[]) => Promise<void>,
): Promise<void> => ('rows' in listed ? take(listed.rows) : listed.stream(take))

const totalOf = (counted: number, tally: Tally | undefined): Omit<Page, 'next'> =>
  tally || counted <= MOST_COUNTED ? { total: counted } : { total: MOST_COUNTED, andMore: true }

/** SQL condition on an optional value. True without it. */
export const given = <Value>(
  value: Value | undefined,
  condition: (value: Value) => RawBuilder<unknown>,
): RawBuilder<SqlBool> => (value === undefined ? sql`true` : sql`${condition(value)}`)

/** True for one of these values. A single one uses `=`, so that an index yields the order. */
export const isOneOf = (column: string, values: readonly string[]): RawBuilder<SqlBool> =>
  values.length === 1
    ? sql`${sql.ref(column)} = ${values[0]}`
    : sql`${sql.ref(column)} = ANY (${values})`

// Sort values as text that PostgreSQL reads back exactly. A JavaScript date would lose
// microseconds.
const textOf: Readonly<Record<SortKey['type'], (by: RawBuilder<unknown>) => RawBuilder<string>>> = {
  timestamptz: (by) => sql`to_char(${by} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
  bigint: (by) => sql`${by}::text`,
  text: (by) => sql`${by}`,
}

const valueSchemas = {
  timestamptz: z.iso.datetime({ precision: 6 }).refine((text) => !text.startsWith('0000')),
  bigint: z.string().regex(/^\d{1,18}$/),
  text: z.string().refine((text) => text.isWellFormed() && !text.includes('\0')),
} satisfies Record<SortKey['type'], z.ZodType<string>>

const cursorAt = ({ sort, order }: ListRequest, value: string, id: string): string =>
  Buffer.from(JSON.stringify([sort, order, value, id])).toString('base64url')

const parseCursor = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

const isAfter = (
  {
    by,
    id,
    type,
    idType,
  }: SortKey & { readonly id: RawBuilder<string>; readonly idType: 'uuid' | 'bigint' },
  { sort, order, cursor = '' }: ListRequest,
): RawBuilder<SqlBool> => {
  const place = z
    .tuple([
      z.literal(sort),
      z.literal(order),
      valueSchemas[type],
      idType === 'uuid' ? idSchema : valueSchemas.bigint,
    ])
    .safeParse(parseCursor(cursor))
  if (!place.success)
    throw refusal('validation', { message: validation.cursorInvalid, field: 'cursor' })
  const [, , value, lastId] = place.data
  const beyond = sql.raw(order === 'asc' ? '>' : '<')
  return sql`(${by}, ${id}) ${beyond} (${value}::${sql.raw(type)}, ${lastId}::${sql.raw(idType)})`
}
