import type { Pool } from 'pg'

/** A table or an index of the product, in bytes. Of a table without its indexes. */
export type Relation = {
  readonly table: string
  readonly name: string
  readonly kind: 'table' | 'index'
  readonly bytes: number
}

/** The size of every table and index, with the map of free space and long values. */
export const relationsOf = async (pool: Pool): Promise<readonly Relation[]> => {
  const { rows } = await pool.query<Relation>(`
    SELECT t.relname AS table, t.relname AS name, 'table' AS kind, pg_table_size(t.oid)::float8 AS bytes
    FROM pg_class AS t WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT t.relname, i.relname, 'index', pg_table_size(i.oid)::float8
    FROM pg_index JOIN pg_class AS t ON t.oid = indrelid JOIN pg_class AS i ON i.oid = indexrelid
    WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace
    ORDER BY 1, 3 DESC, 2`)
  return rows
}

export const bytesOf = (relations: readonly Relation[]): number =>
  relations.reduce((sum, { bytes }) => sum + bytes, 0)

/** Adds up the vacuums that PostgreSQL started by itself. Times in seconds. */
export const autovacuumsOf = async (pool: Pool): Promise<{ runs: number; seconds: number }> => {
  const { rows } = await pool.query<{ runs: number; seconds: number }>(`
    SELECT sum(autovacuum_count)::float8 AS runs, sum(total_autovacuum_time)::float8 / 1000 AS seconds FROM pg_stat_user_tables`)
  return rows[0] ?? { runs: Number.NaN, seconds: Number.NaN }
}

/** Runs one statement on a connection without limit of time. Seconds, and bytes of the log. */
export const timed = async (
  pool: Pool,
  statement: string,
): Promise<{ seconds: number; log: number }> => {
  const client = await pool.connect()
  const position = async () =>
    Number(
      (await client.query("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS at"))
        .rows[0].at,
    )
  try {
    await client.query('SET statement_timeout = 0')
    const before = await position()
    const since = performance.now()
    await client.query(statement)
    return { seconds: (performance.now() - since) / 1_000, log: (await position()) - before }
  } finally {
    client.release(true)
  }
}
