import type { Pool } from 'pg'
import { GUARD } from '../base/db/tableRules.ts'

/** Writes past every trigger, as a superuser could, so that checks have faults to find. */
export const tamper = async (
  { pool, superuser = pool }: { readonly pool: Pool; readonly superuser?: Pool },
  statements: string,
): Promise<void> => {
  await superuser.query(
    `SET session_replication_role = replica; ${statements}; RESET session_replication_role`,
  )
}

/**
 * Writes past the guard of a table alone. Its other triggers fire. One transaction, so the guard
 * comes back after a failure, and those side by side wait for each other.
 */
export const passGuard = async (
  superuser: Pool,
  table: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<void> => {
  const client = await superuser.connect()
  try {
    await client.query(`BEGIN; ALTER TABLE ${table} DISABLE TRIGGER ${GUARD}`)
    await client.query(statement, [...values])
    await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ${GUARD}; COMMIT`)
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
}
