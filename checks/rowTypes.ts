/** Generates Kysely's row types from the catalogue of a migrated database. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Database } from '../server/base/db/connection.ts'
import { ROOT } from './sources.ts'

const HEADER = `// The rows of the database. Written by \`npm run schema:dump\`, compared by a test. Never edit it.
import type { PauseName } from '@pool/contract/money/pauses'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Inserted by SQL functions, never from here. */
type InSql<T> = ColumnType<T, never, T>
`
const TYPES: Readonly<Record<string, string>> = {
  uuid: 'string',
  text: 'string',
  boolean: 'boolean',
  bigint: 'bigint',
  numeric: 'string',
  integer: 'number',
  smallint: 'number',
  bytea: 'Buffer',
  'text[]': 'string[]',
  date: 'Date',
  'timestamp with time zone': 'Date',
  jsonb: 'unknown',
}
/** Columns that hold less than their SQL type could. */
const NARROWER: Readonly<Record<string, string>> = {
  'pauses.name': 'PauseName',
  'investments.status': "'ACTIVE' | 'COMPLETED'",
  'audit_entries.before': 'Record<string, unknown>',
  'audit_entries.after': 'Record<string, unknown>',
}
const INSERTED_IN_SQL = [
  'transactions',
  'movements',
  'approvals',
  'contributions',
  'audit_seals',
  'audit_unsealed',
]

/** Views that queries read. They have no NULLs. */
const VIEWS = ['investments', 'transfers']

type Column = {
  readonly table: string
  readonly name: string
  readonly type: string
  /** The texts that a CHECK on this column allows, as SQL. */
  readonly allowed: string | null
  readonly nullable: boolean
  readonly optional: boolean
  readonly generated: boolean
  readonly comment: string | null
  readonly tableComment: string | null
}

const COLUMNS = `
  SELECT c.relname AS table, attname AS name, format_type(atttypid, NULL) AS type, relkind IN ('r', 'p') AND NOT attnotnull AS nullable,
    atthasdef AS optional, attidentity = 'a' AS generated, col_description(c.oid, attnum) AS comment,
    obj_description(c.oid, 'pg_class') AS "tableComment",
    (SELECT substring(pg_get_constraintdef(k.oid) FROM '^CHECK \\(\\(' || attname || ' = ANY \\(ARRAY\\[(.*)\\]\\)\\)\\)$')
      FROM pg_constraint AS k WHERE conrelid = c.oid AND contype = 'c' AND conkey = ARRAY[attnum]
      ORDER BY 1 NULLS LAST LIMIT 1) AS allowed
  FROM pg_class AS c JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
  WHERE relnamespace = 'public'::regnamespace AND (relkind IN ('r', 'p') AND NOT relispartition OR relname = ANY ($1)) ORDER BY relname, attnum`

/** Returns the formatted module. Throws at a column of an unknown type. */
export const rowTypes = async ({ pool }: Pick<Database, 'pool'>): Promise<string> => {
  const { rows } = await pool.query<Column>(COLUMNS, [VIEWS])
  const tables = [...Map.groupBy(rows, ({ table }) => table)].map(
    ([table, columns]) =>
      `${docOf(columns[0]?.tableComment)}${table}: {\n${columns.map(lineOf).join('\n')}\n}`,
  )
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
  const input = `${HEADER}\nexport type Schema = {\n${tables.join('\n')}\n}\n`
  return execFileSync(
    process.execPath,
    [biome, 'format', '--stdin-file-path=server/base/db/schema.ts'],
    { cwd: ROOT, input, encoding: 'utf8' },
  )
}

const lineOf = (column: Column): string =>
  `${docOf(column.comment)}${column.name}: ${typeOf(column)}`

const typeOf = ({ table, name, type, allowed, nullable, optional, generated }: Column): string => {
  const read =
    NARROWER[`${table}.${name}`] ??
    allowed?.replaceAll('::text', '').replaceAll(', ', ' | ') ??
    TYPES[type]
  if (read === undefined)
    throw new Error(`checks/rowTypes.ts does not know the type ${type} of ${table}.${name}.`)
  const whole = nullable && read !== 'unknown' ? `${read} | null` : read
  if (generated) return `GeneratedAlways<${whole}>`
  if (INSERTED_IN_SQL.includes(table) || VIEWS.includes(table)) return `InSql<${whole}>`
  return optional ? `Generated<${whole}>` : whole
}

/** Wraps a comment at 100 columns after indenting. */
const docOf = (comment: string | null | undefined): string => {
  if (!comment) return ''
  const lines = comment.replaceAll(/(.{1,93})(?: |$)/g, ' * $1\n')
  return comment.length <= 89 ? `/** ${comment} */\n` : `/**\n${lines} */\n`
}
