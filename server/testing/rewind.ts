import type pg from 'pg'

type TableRow = { readonly name: string; readonly columns: string }

/** Tables of the product and its jobs. Partitions are read through their table. */
const TABLES = `
  SELECT c.oid::regclass::text AS name,
    string_agg(quote_ident(attname), ', ' ORDER BY attnum) FILTER (WHERE attgenerated = '') AS columns
  FROM pg_class AS c JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
  WHERE relkind IN ('r', 'p') AND NOT relispartition
    AND relnamespace::regnamespace::text <> ALL ('{pg_catalog,information_schema,kept}')
  GROUP BY c.oid ORDER BY 1`

/**
 * Keeps the rows of a database, and returns what puts them back past every trigger. That takes a
 * tenth of the time of a new database. Sequences go on, so no number comes twice.
 */
export const keepRows = async (superuser: pg.Pool): Promise<() => Promise<void>> => {
  const { rows: tables } = await superuser.query<TableRow>(TABLES)
  const hasRows = tables.map(({ name }) => `EXISTS (SELECT FROM ${name})`)
  const { rows: answers } = await superuser.query<{ has: boolean[] }>(
    `SELECT ARRAY[${hasRows.join()}] AS has`,
  )
  const kept = tables.filter((_, place) => answers[0]?.has[place])
  const copies = kept.map(({ name }, place) => `CREATE TABLE kept.t${place} AS TABLE ${name}`)
  await superuser.query(`CREATE SCHEMA kept; ${copies.join('; ')}`)
  const statements = [
    ...tables.map(({ name }) => `DELETE FROM ${name}`),
    ...kept.map(
      ({ name, columns }, place) =>
        `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM kept.t${place}`,
    ),
  ]
  const rewind = `BEGIN; SET LOCAL session_replication_role = replica; ${statements.join('; ')}; COMMIT`
  return async () => {
    await superuser.query(rewind)
  }
}
