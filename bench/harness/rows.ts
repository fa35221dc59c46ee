import type { Pool, PoolClient } from 'pg'

/** Rows in one statement. */
const AT_ONCE = 100_000

/**
 * Runs `work` while the table has only the indexes of its constraints, and makes the others anew.
 * Writing ten million rows is several times faster without them.
 */
export const withoutIndexes = async (
  pool: Pool,
  table: string,
  work: (client: PoolClient) => Promise<void>,
): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query("SET statement_timeout = 0; SET maintenance_work_mem = '1GB'")
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
        WHERE tablename = $1 AND indexname NOT IN (SELECT conname FROM pg_constraint WHERE conrelid = $1::regclass)`,
      [table],
    )
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`)
    await work(client)
    for (const { definition } of indexes) await client.query(definition)
    await client.query(`VACUUM (ANALYZE) ${table}`)
    await client.query('CHECKPOINT')
  } finally {
    client.release(true)
  }
}

/**
 * Adds expired deposits of all investors, over 80 days, until there are `rows` transactions. They
 * moved no money, so `ledger:check` and `audit:check` pass.
 */
export const growTo = (
  pool: Pool,
  { rows, people }: { rows: number; people: number },
): Promise<void> =>
  withoutIndexes(pool, 'transactions', async (client) => {
    const { rows: found } = await client.query('SELECT count(*)::int AS count FROM transactions')
    for (let from = found[0].count; from < rows; from += AT_ONCE) {
      await client.query(
        `INSERT INTO transactions (id, user_id, type, amount, status, wallet_id, created_at, updated_at)
          SELECT ('00000000-0003-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, w.owner_id, 'deposit', 1000 + n % 100000, 'EXPIRED', w.id,
            now() - n * interval '80 days' / ${rows} - interval '1 day', now() - n * interval '80 days' / ${rows}
          FROM generate_series(${from}::bigint, ${Math.min(rows, from + AT_ONCE) - 1}) AS n
          JOIN wallets AS w ON w.id = ('00000000-0001-7000-8000-' || lpad(to_hex(1 + n % ${people}), 12, '0'))::uuid`,
      )
    }
  })
