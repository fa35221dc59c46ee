/** Lists that are asked for whole: however many rows there are, only a few are held at a time. */
import { refusal } from '@pool/contract/refusals'
import { type Kysely, type RawBuilder, sql } from 'kysely'

/** How many rows are read at a time, and the most that are answered at once instead of as they come. */
export const BATCH = 500
/** How many lists a process sends as they come at the same time: each holds one of the database's connections. */
const MOST_AT_ONCE = 4
/** A client that takes nothing for so long, in seconds, is not waited for: the snapshot that is held for it holds up the database's clean-up. */
const PATIENCE = 60

/** Hands a list over, batch by batch, in its order and as of one moment; each batch is waited for. Throws what `take` throws. */
export type Whole<Row> = (take: (rows: readonly Row[]) => Promise<void>) => Promise<void>

let sending = 0

/** The rows of a query, to be handed over by a cursor. Handing them over throws `busy` while too many lists are being sent. */
export const whole =
  <Schema, Row>(db: Kysely<Schema>, query: RawBuilder<Row>): Whole<Row> =>
  async (take) => {
    if (sending >= MOST_AT_ONCE) throw refusal('busy')
    sending += 1
    try {
      await db
        .transaction()
        .setAccessMode('read only')
        .execute(async (transaction) => {
          await sql`SET LOCAL idle_in_transaction_session_timeout = ${sql.lit(`${PATIENCE}s`)}`.execute(transaction)
          await sql`DECLARE whole NO SCROLL CURSOR FOR ${query}`.execute(transaction)
          for (let full = true; full; ) {
            const { rows } = await sql<Row>`FETCH FORWARD ${sql.lit(BATCH)} FROM whole`.execute(transaction)
            if (rows.length > 0) await take(rows)
            full = rows.length === BATCH
          }
        })
    } finally {
      sending -= 1
    }
  }
