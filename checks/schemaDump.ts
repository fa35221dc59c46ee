/** Writes the migrated tables as readable text. */
import type { Database } from '../server/base/db/connection.ts'

const header =
  '-- The tables after all migrations. Written by `npm run schema:dump`, compared by a test. Never edit it.\n'

/** The comments on a table or type `c` and its columns. */
const COMMENTS = `
  (SELECT string_agg(format(E'\nCOMMENT ON %s IS %L;', CASE WHEN objsubid > 0 THEN 'COLUMN ' || c.relname || '.' || attname
      WHEN c.relkind IN ('r', 'p') THEN 'TABLE ' || c.relname ELSE 'TYPE ' || c.relname END, description), '' ORDER BY objsubid)
    FROM pg_description LEFT JOIN pg_attribute ON attrelid = c.oid AND attnum = objsubid AND objsubid > 0
    WHERE objoid = c.oid AND classoid = 'pg_class'::regclass OR objoid = c.reltype AND classoid = 'pg_type'::regclass AND c.relkind = 'c')`

const TABLES = `
  SELECT c.relname AS name,
    string_agg(format('  %s %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
      CASE WHEN a.attidentity <> '' THEN ' GENERATED ALWAYS AS IDENTITY' ELSE coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') END), E',\n' ORDER BY a.attnum) AS columns,
    (SELECT string_agg(format(E',\n  CONSTRAINT %s %s', conname, pg_get_constraintdef(oid)), '' ORDER BY contype, conname)
      FROM pg_constraint WHERE conrelid = c.oid AND contype <> 'n') AS constraints,
    coalesce(' PARTITION BY ' || pg_get_partkeydef(c.oid), '') || coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', '') AS options,
    coalesce(${COMMENTS}, '') AS comments
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  GROUP BY c.oid, c.relname ORDER BY c.relname`

const TYPES = `
  SELECT format(E'CREATE TYPE %s AS (\n%s\n);', c.relname, string_agg(format('  %s %s', a.attname, format_type(a.atttypid, a.atttypmod)), E',\n' ORDER BY a.attnum)) || coalesce(${COMMENTS}, '') AS text
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'c' GROUP BY c.oid, c.relname ORDER BY c.relname`

const INDEXES = `
  SELECT pg_get_indexdef(i.indexrelid) || ';' AS text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid) ORDER BY c.relname`

/**
 * Describes tables, types and indexes in a fixed order. Leaves out partitions, which differ by
 * month, and functions, views and triggers, which stand in their rooms.
 */
export const dumpSchema = async ({ pool }: Pick<Database, 'pool'>): Promise<string> => {
  const { rows: tables } = await pool.query<{
    name: string
    columns: string
    constraints: string | null
    options: string
    comments: string
  }>(TABLES)
  const parts = [
    header,
    ...tables.map(
      ({ name, columns, constraints, options, comments }) =>
        `CREATE TABLE ${name} (\n${columns}${constraints ?? ''}\n)${options};${comments}`,
    ),
  ]
  for (const query of [TYPES, INDEXES]) {
    const { rows } = await pool.query<{ text: string }>(query)
    parts.push(...rows.map(({ text }) => text))
  }
  return `${parts.join('\n\n').replace(/[ \t]+$/gm, '')}\n`
}
