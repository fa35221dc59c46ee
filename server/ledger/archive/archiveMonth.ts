/** Moves the movements of the oldest month out of the database (docs/decisions/037). */
import type { Pool, PoolClient } from 'pg'
import { escapeIdentifier } from 'pg'
import type { Keys } from '../../base/keys/keys.ts'
import { LOCKS } from '../../base/locks.ts'
import { type ArchivedMonth, BALANCES_DIGEST, signedText } from './closings.ts'

/** Rows that are held in memory at once. */
const BATCH = 5_000

/** The rows of a month's file, and the facts of its manifest. */
export type MonthContent = {
  readonly month: string
  /** Movements as JSON, in batches. */
  readonly rows: AsyncIterable<readonly string[]>
  readonly balances: string
}

/** Makes the file of a month durable, and returns its digest and its number of rows. */
export type WriteMonth = (
  content: MonthContent,
) => Promise<{ readonly sha256: string; readonly movements: number }>

/**
 * Archives the oldest month, `YYYY-MM`, in one transaction: writes its file, adds it to the
 * closing balances, signs both and drops the rows. Throws with a remedy, having changed nothing.
 */
export const archiveMonth = async (
  owner: Pool,
  { keys, month, write }: { readonly keys: Keys; month: string; write: WriteMonth },
): Promise<ArchivedMonth> => {
  const client = await owner.connect()
  try {
    await client.query("BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '2s'")
    const partition = await oldestMonth(client, month)
    await requireQuiet(client, partition)
    const balances = await close(client, partition)
    const { sha256, movements } = await write({ month, rows: rowsOf(client, partition), balances })
    const { begins: from, ends: until } = partition
    const archived = { month, from, until, movements, sha256, balances }
    await client.query(
      'INSERT INTO archived_months (month, from_id, until_id, movements, sha256, balances, mac) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      [
        month,
        from,
        until,
        movements,
        sha256,
        balances,
        keys.sign('archived month', signedText(archived)),
      ],
    )
    await client.query(
      `ALTER TABLE movements DETACH PARTITION ${partition.table}; DROP TABLE ${partition.table}`,
    )
    await client.query('COMMIT')
    return archived
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    if (error instanceof Error && 'code' in error && error.code === '55P03')
      throw new Error(
        'Movements are being read or written. Nothing was archived. Try again in a few minutes.',
        { cause: error },
      )
    throw error
  } finally {
    client.release(true)
  }
}

type Partition = {
  /** Escaped name. */
  readonly table: string
  readonly month: string
  readonly begins: string | null
  readonly ends: string
}

const oldestMonth = async (client: PoolClient, wanted: string): Promise<Partition> => {
  const { rows: locks } = await client.query<{ free: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${LOCKS.months}) AS free`,
  )
  if (!locks[0]?.free)
    throw new Error('Another archive is being made, or months are. Nothing was archived.')
  const { rows } = await client.query<Partition & { name: string; archived: boolean }>(
    `SELECT name, begins, ends, to_char(month_of(ends) - 1, 'YYYY-MM') AS month, EXISTS (SELECT FROM archived_months WHERE month = $1) AS archived
     FROM movement_months WHERE ends IS NOT NULL ORDER BY begins NULLS FIRST LIMIT 1`,
    [wanted],
  )
  const [oldest] = rows
  if (oldest?.archived) throw new Error(`The month ${wanted} is archived already.`)
  if (oldest?.month !== wanted)
    throw new Error(
      `Months are archived oldest first. The oldest one is ${oldest?.month ?? 'not complete'}. Nothing was archived.`,
    )
  return { ...oldest, table: escapeIdentifier(oldest.name) }
}

/** Days without a movement, after which a month counts as past. */
const QUIET_DAYS = 90

/** Throws unless the month is past, and nothing of it can move money again. Holds back new rows. */
const requireQuiet = async (
  client: PoolClient,
  { table, month, ends }: Partition,
): Promise<void> => {
  await client.query(`LOCK TABLE ${table} IN SHARE MODE`)
  const { rows } = await client.query<{ young: boolean; open: string | null }>(
    `SELECT greatest(month_of($1::uuid), (SELECT max(created_at) FROM ${table})) > now() - interval '${QUIET_DAYS} days' AS young,
      (SELECT concat_ws(' ', type, id) FROM transactions WHERE id < $1::uuid AND (status = 'PENDING' OR investment_status = 'ACTIVE' OR type = 'withdrawal' AND status IN ('APPROVED', 'PROCESSING')) LIMIT 1) AS open`,
    [ends],
  )
  const [found] = rows
  if (found?.young !== false)
    throw new Error(
      `Money of ${month} moved in the last ${QUIET_DAYS} days, or the month ended in them. Nothing was archived.`,
    )
  if (found.open !== null)
    throw new Error(
      `The ${found.open} is open and can still move money. End it first. Nothing was archived.`,
    )
}

/** Adds the month to the closing balances, and returns their digest. */
const close = async (client: PoolClient, { table }: Partition): Promise<string> => {
  await client.query(`
    INSERT INTO closing_balances (account_id, amount)
    SELECT account_id, sum(side.amount) FROM ${table} AS m CROSS JOIN LATERAL (VALUES
      (from_account_id, -m.amount), (to_account_id, m.amount), (interest_from_account_id, -interest), (interest_to_account_id, interest)
    ) AS side (account_id, amount)
    WHERE account_id IS NOT NULL GROUP BY account_id
    ON CONFLICT (account_id) DO UPDATE SET amount = closing_balances.amount + excluded.amount`)
  const { rows } = await client.query<{ digest: string }>(BALANCES_DIGEST)
  return rows[0]?.digest ?? ''
}

async function* rowsOf(
  client: PoolClient,
  { table }: Partition,
): AsyncGenerator<readonly string[]> {
  await client.query(
    `DECLARE archived NO SCROLL CURSOR FOR SELECT row_to_json(m)::text AS row FROM ${table} AS m ORDER BY reference_id, name`,
  )
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`FETCH FORWARD ${BATCH} FROM archived`)
    if (rows.length > 0) yield rows.map(({ row }) => row)
    if (rows.length < BATCH) break
  }
  await client.query('CLOSE archived')
}
