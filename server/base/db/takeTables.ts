import { setTimeout as wait } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { isCancelled } from './errors.ts'

/**
 * Milliseconds of an attempt. PostgreSQL looks for deadlocks after a second, and could end the
 * request of another node.
 */
const ATTEMPT_MS = 600
/** Milliseconds between attempts, in which others go on. */
const PAUSE_MS = 400

// Views first: a query finds its view, then waits for the tables, and would miss a view made anew.
// Those of the system's catalogue cannot be locked.
const TABLES = `
  SELECT string_agg(oid::regclass::text, ', ' ORDER BY relkind <> 'v', oid) AS names,
    string_agg(oid::regclass::text, ', ') FILTER (WHERE NOT has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE')) AS final
  FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('v', 'r', 'p') AND NOT relispartition
    AND pg_has_role(relowner, 'USAGE') AND (relkind <> 'v' OR pg_get_viewdef(oid) !~ '\\mpg_')`

/**
 * Locks all tables and views of the owner. Else a migration waits for one while it holds another.
 * Requests of other nodes wait meanwhile. Tries until long reads such as a dump have ended.
 */
export const takeTables = async (client: PoolClient): Promise<void> => {
  const { rows } = await client.query<{ names: string | null; final: string | null }>(TABLES)
  const { names, final } = rows[0] ?? {}
  if (!names) return
  // Before PostgreSQL 17, a table whose rows even its owner may not change cannot be locked.
  if (final) await client.query(`GRANT DELETE ON ${final} TO CURRENT_USER`)
  for (;;) {
    await client.query('SAVEPOINT taking')
    await client.query(`SET LOCAL statement_timeout = ${ATTEMPT_MS}`)
    try {
      await client.query(`LOCK TABLE ${names}`)
      await client.query('SET LOCAL statement_timeout = 0')
      if (final) await client.query(`REVOKE DELETE ON ${final} FROM CURRENT_USER`)
      return
    } catch (error) {
      if (!isCancelled(error)) throw error
      await client.query('ROLLBACK TO SAVEPOINT taking')
      await wait(PAUSE_MS)
    }
  }
}
