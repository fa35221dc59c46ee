/** Streams long lists by a cursor. One batch of rows is in memory at a time. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { LaggingReads } from '../db/replica.ts'

/** Rows of a batch, and of the longest list that is not streamed. */
export const BATCH = 500
/** The database ends a slower stream, because its snapshot blocks vacuuming. */
export const STREAM_TIMEOUT_MS = 60_000

/**
 * Calls `take` with each batch in order, from one snapshot, and waits for it. Throws `take`'s
 * error.
 */
export type ListStream<Row> = (take: (rows: readonly Row[]) => Promise<void>) => Promise<void>

/** Streams the rows of a query. */
export const streamRows =
  <Schema, Row>(db: Kysely<Schema>, query: RawBuilder<Row>): ListStream<Row> =>
  (take) =>
    db
      .transaction()
      .setAccessMode('read only')
      .execute((transaction) => fetchAll(transaction, query, take))

/** Streams the rows of a query that may lag. All come from the server of the first batch. */
export const streamLagging =
  <Row>(reads: LaggingReads, query: RawBuilder<Row>): ListStream<Row> =>
  (take) => {
    let begun = false
    const pass = (rows: readonly Row[]) => {
      begun = true
      return take(rows)
    }
    return reads.read(
      (db) => fetchAll(db, query, pass),
      () => !begun,
    )
  }

const fetchAll = async <Schema, Row>(
  transaction: Kysely<Schema>,
  query: RawBuilder<Row>,
  take: Parameters<ListStream<Row>>[0],
): Promise<void> => {
  await sql`SET LOCAL idle_in_transaction_session_timeout = ${sql.lit(STREAM_TIMEOUT_MS)}`.execute(
    transaction,
  )
  await sql`DECLARE streamed NO SCROLL CURSOR FOR ${query}`.execute(transaction)
  for (let full = true; full; ) {
    const { rows } = await sql<Row>`FETCH FORWARD ${sql.lit(BATCH)} FROM streamed`.execute(
      transaction,
    )
    if (rows.length > 0) await take(rows)
    full = rows.length === BATCH
  }
}
