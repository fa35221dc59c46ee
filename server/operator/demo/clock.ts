/**
 * The clock of a demonstration. It replaces PostgreSQL's in its own session only
 * (docs/decisions/024).
 */
import type { Pool } from 'pg'

const CREATE = `
  CREATE SCHEMA IF NOT EXISTS demo;
  CREATE OR REPLACE FUNCTION demo.now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT coalesce(nullif(current_setting('demo.moment', true), '')::timestamptz, pg_catalog.now())
  $$;
  GRANT USAGE ON SCHEMA demo TO PUBLIC`

/** Statements that exchange the clocks in defaults of columns and conditions of triggers. */
const EXCHANGE = `
  SELECT format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', d.adrelid::regclass, a.attname, $2::text) AS statement
  FROM pg_attrdef AS d JOIN pg_attribute AS a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
  JOIN pg_class AS c ON c.oid = d.adrelid
  WHERE c.relnamespace = current_schema()::regnamespace AND pg_get_expr(d.adbin, d.adrelid) = $1
  UNION ALL
  SELECT replace(replace(pg_get_triggerdef(t.oid), 'CREATE TRIGGER', 'CREATE OR REPLACE TRIGGER'), $1, $2)
  FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
  WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal AND strpos(pg_get_triggerdef(t.oid), ' ' || $1) > 0`

const OURS = 'demo.now()'
const DATABASES = 'now()'

const exchange = async (owner: Pool, from: string, to: string): Promise<void> => {
  const { rows } = await owner.query<{ statement: string }>(EXCHANGE, [from, to])
  for (const { statement } of rows) await owner.query(statement)
}

/**
 * Runs `work` while defaults and triggers read the demonstration's clock. After a stop in between
 * they still do, and the next call goes on.
 */
export const withClock = async <Result>(
  owner: Pool,
  work: () => Promise<Result>,
): Promise<Result> => {
  await owner.query(CREATE)
  try {
    await exchange(owner, DATABASES, OURS)
    return await work()
  } finally {
    await exchange(owner, OURS, DATABASES)
    // Fails while anything still uses the clock.
    await owner.query('DROP FUNCTION demo.now(); DROP SCHEMA demo')
  }
}

/** Sets the clock of the pool's only connection, where `now()` means the demonstration's. */
export const setClock = async (pool: Pool, moment: number): Promise<void> => {
  await pool.query({
    name: 'set_clock',
    text: `SELECT set_config('search_path', 'demo, pg_catalog, public', false), set_config('demo.moment', $1, false),
      set_config('synchronous_commit', 'off', false)`,
    values: [new Date(moment).toISOString()],
  })
}
