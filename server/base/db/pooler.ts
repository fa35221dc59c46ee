import pg, { type PoolClient } from 'pg'
import type { Database } from './connection.ts'

const FAULT_OF_PROTOCOL = '08P01'

/** True for a pool whose sessions are of a pooler, whose process IDs are no backend's. */
const isPooled = async (pool: pg.Pool): Promise<boolean> => {
  try {
    const client = await pool.connect()
    try {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      const { processID } = client as PoolClient & { readonly processID: number }
      return rows[0]?.pid !== processID
    } finally {
      client.release()
    }
  } catch (error) {
    // Refuses `statement_timeout`, which is a session's.
    if (error instanceof pg.DatabaseError && error.code === FAULT_OF_PROTOCOL) return true
    throw error
  }
}

const hasSettings = async (pool: pg.Pool): Promise<boolean> => {
  const { rows } = await pool.query<{ given: boolean }>(
    `SELECT current_setting('statement_timeout') <> '0' AND NOT current_setting('jit')::boolean
      AND current_setting('datestyle') LIKE 'ISO%' AS given`,
  )
  return rows[0]?.given === true
}

/**
 * Throws with a remedy when connections that must keep a session lead through a pooler such as
 * PgBouncer, or when a pooler's lack the settings of ours.
 */
export const requireSessions = async (
  database: Pick<Database, 'pool' | 'direct' | 'owner'>,
  isDirectSet: boolean,
): Promise<void> => {
  const { pool, direct, owner } = database
  const variable = isDirectSet ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  if (await isPooled(direct))
    throw new Error(
      `${variable} leads through a connection pooler. Set DATABASE_DIRECT_URL to the same database without it: listening, jobs and locks need sessions of their own.`,
    )
  if (owner !== direct && (await isPooled(owner)))
    throw new Error(
      'DATABASE_OWNER_URL leads through a connection pooler. Name the database itself: migrations need a session of their own.',
    )
  if (isDirectSet && !(await hasSettings(pool)))
    throw new Error(
      "Connections of the pooler at DATABASE_URL lack their settings. Run ALTER ROLE … SET statement_timeout = '60s', ALTER ROLE … SET jit = off and ALTER ROLE … SET datestyle = 'ISO' for its role, and let the pooler connect again.",
    )
}
