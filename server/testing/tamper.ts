import type { Database } from '../db/connection.ts'

/** Writes past every trigger of the database, as somebody who owns it could: what the checks are there to find. */
export const tamper = async ({ pool }: Database, statements: string): Promise<void> => {
  await pool.query(`SET session_replication_role = replica; ${statements}; RESET session_replication_role`)
}
