import type { Config } from '../configuration/config.ts'
import type { Log } from '../process/log.ts'
import type { Database } from './connection.ts'

const QUESTION = `
  SELECT current_user AS role, rolsuper AS superuser, has_schema_privilege(current_schema(), 'CREATE') AS creates,
    EXISTS (SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND pg_has_role(relowner, 'USAGE')) AS owns
  FROM pg_roles WHERE rolname = current_user`

/**
 * Checks the product's role. A superuser or owner could switch off every database rule. Live mode
 * throws with a remedy, and the sandbox logs the same text as a warning.
 */
export const requireLeastPrivilege = async (
  { pool }: Pick<Database, 'pool'>,
  { poolMode }: Config,
  log: Log,
): Promise<void> => {
  const { rows } = await pool.query<{
    role: string
    superuser: boolean
    creates: boolean
    owns: boolean
  }>(QUESTION)
  const [found] = rows
  const fault = found?.superuser
    ? 'is a superuser'
    : found?.owns
      ? 'owns the tables'
      : found?.creates
        ? 'may create tables'
        : undefined
  if (found === undefined || fault === undefined) return
  const sentence =
    `The database's role ${found.role} ${fault}, and could switch off the rules that protect balances and the audit trail. Set DATABASE_OWNER_URL to a role that ` +
    `owns the tables and is no superuser, and DATABASE_URL to a role that owns nothing (docs/runbook.md, "The roles of the database").`
  if (poolMode === 'live') throw new Error(sentence)
  log.warn(sentence)
}
