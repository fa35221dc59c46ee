import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientBase, Pool } from 'pg'
import { RELEASES } from './releases.ts'

/** Names of all that nodes of a version use of the database. */
export type UsedDatabase = {
  /** Result of each function that a node calls, by its head. */
  readonly functions: Readonly<Record<string, string>>
  /** Columns of each table and view with their type and the rights to them. */
  readonly columns: Readonly<Record<string, string>>
}

/** Functions that the sources name. */
const FUNCTIONS = `
  SELECT oid::regprocedure::text AS head, pg_get_function_result(oid) AS result FROM pg_proc
  WHERE pronamespace = current_schema()::regnamespace AND prorettype <> 'trigger'::regtype
    AND has_function_privilege('pool_app', oid, 'EXECUTE') AND $1 ~ ('\\m' || proname || '\\M')
  ORDER BY head`

const RIGHTS = `
  concat_ws(' ', CASE WHEN has_column_privilege('pool_app', attrelid, attnum, 'SELECT') THEN 'read' END,
    CASE WHEN has_column_privilege('pool_app', attrelid, attnum, 'INSERT') THEN 'insert' END,
    CASE WHEN has_column_privilege('pool_app', attrelid, attnum, 'UPDATE') THEN 'update' END)`

const COLUMNS = `
  SELECT attrelid::regclass || '.' || attname AS name, format_type(atttypid, atttypmod) AS type, ${RIGHTS} AS rights,
    relkind = 'r' AND attnotnull AND NOT atthasdef AND attidentity = '' AS demanded
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition AND attnum > 0 AND NOT attisdropped
  ORDER BY attrelid::regclass::text COLLATE "C", attname`

type Column = { name: string; type: string; rights: string; demanded: boolean }

/** Reads it from a migrated database. `sources` is the text of the version's server. */
export const usedDatabase = async (pool: Pool, sources: string): Promise<UsedDatabase> => {
  const functions = await pool.query<{ head: string; result: string }>(FUNCTIONS, [sources])
  const columns = await pool.query<Column>(COLUMNS)
  return {
    functions: Object.fromEntries(functions.rows.map(({ head, result }) => [head, result])),
    columns: Object.fromEntries(
      columns.rows.map(({ name, type, rights }) => [name, `${type}: ${rights}`]),
    ),
  }
}

export const keptDatabase = (version: string): UsedDatabase =>
  JSON.parse(readFileSync(join(RELEASES, `${version}.database.json`), 'utf8'))

const HEADS = `
  SELECT oid::regprocedure::text AS head, pg_get_function_result(oid) AS result FROM pg_proc
  WHERE pronamespace = current_schema()::regnamespace AND has_function_privilege('pool_app', oid, 'EXECUTE')`

/** One sentence for each thing that a version uses and this database lacks. */
export const lacksOf = async (pool: Pool | ClientBase, used: UsedDatabase): Promise<string[]> => {
  const functions = await pool.query<{ head: string; result: string }>(HEADS)
  const heads = new Map(functions.rows.map(({ head, result }) => [head, result]))
  const { rows } = await pool.query<Column>(COLUMNS)
  const columns = new Map(rows.map((column) => [column.name, column]))
  const tables = new Set(Object.keys(used.columns).map(tableOf))
  return [
    ...Object.entries(used.functions)
      .filter(([head, result]) => heads.get(head) !== result)
      .map(([head, result]) => `${head} that returns ${result} is called`),
    ...Object.entries(used.columns)
      .filter(([name, wanted]) => !offers(columns.get(name), wanted))
      .map(([name, wanted]) => `${name} is used as ${wanted}`),
    ...rows
      .filter(({ name, demanded }) => demanded && tables.has(tableOf(name)) && !used.columns[name])
      .map(({ name }) => `${name} must be given, and is not known`),
  ]
}

const tableOf = (column: string): string => column.replace(/\..*/, '')

const offers = (column: Column | undefined, wanted: string): boolean => {
  const [type, rights = ''] = wanted.split(': ')
  const given = column?.rights.split(' ') ?? []
  return column?.type === type && rights.split(' ').every((right) => given.includes(right))
}
