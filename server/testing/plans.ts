import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import type { Schema } from '../base/db/schema.ts'
import type { TestDatabase } from './database.ts'

type Plan = {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** Rows of each table that a plan read. */
const readsOf = ({ Plans = [], ...node }: Plan): [string, number][] => {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
  const table = node['Relation Name']
  return [
    ...(table === undefined ? [] : [[table, own] satisfies [string, number]]),
    ...Plans.flatMap(readsOf),
  ]
}

/** Rows by table. */
type RowsByTable = Readonly<Record<string, number>>

/** A database that explains its queries. `rowsRead` counts the rows that a call's queries read. */
export const explaining = ({ pool }: TestDatabase) => {
  const asked: CompiledQuery[] = []
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void asked.push(query),
  })
  const rowsRead = async (read: () => Promise<unknown>): Promise<RowsByTable> => {
    asked.length = 0
    await read()
    const total: Record<string, number> = {}
    for (const { sql, parameters } of asked
      .splice(0)
      .filter((query) => /^[\s(]*(select|with)/i.test(query.sql))) {
      const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, [...parameters])
      for (const [table, count] of readsOf(rows[0]['QUERY PLAN'][0].Plan))
        total[table] = (total[table] ?? 0) + count
    }
    return total
  }
  return { db, rowsRead }
}
