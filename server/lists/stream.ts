/** Lists that are asked for whole: however many rows there are, only a few are held at a time. */
import { type Kysely, type RawBuilder, sql } from 'kysely'

/**
 * How many rows are read at a time, and the most that are answered at once instead of as they come.
 */
export const BATCH = 500
/**
 * The database ends a list whose batch is not taken within so many seconds: its snapshot holds up
 * the clean-up.
 */
const BATCH_TIMEOUT_SECONDS = 60

/**
 * Hands a list over, batch by batch, in its order and as of one moment; each batch is waited for.
 * Throws what `take` throws.
 */
export type Whole<Row> = (take: (rows: readonly Row[]) => Promise<void>) => Promise<void>

/** The rows of a query, to be handed over by a cursor. */
export const whole =
  <Schema, Row>(db: Kysely<Schema>, query: RawBuilder<Row>): Whole<Row> =>
  (take) =>
    db
      .transaction()
      .setAccessMode('read only')
      .execute(async (transaction) => {
        await sql`SET LOCAL idle_in_transaction_session_timeout = ${sql.lit(`${BATCH_TIMEOUT_SECONDS}s`)}`.execute(
          transaction,
        )
        await sql`DECLARE whole NO SCROLL CURSOR FOR ${query}`.execute(transaction)
        for (let full = true; full; ) {
          const { rows } = await sql<Row>`FETCH FORWARD ${sql.lit(BATCH)} FROM whole`.execute(
            transaction,
          )
          if (rows.length > 0) await take(rows)
          full = rows.length === BATCH
        }
      })
