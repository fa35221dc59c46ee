import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { onSession } from '../../base/db/session.ts'
import { LOCKS } from '../../base/locks.ts'

/** Works while a session holds the lock of comparisons. Undefined while another one has it. */
export const withLockOrSkip = async <Result>(
  session: () => Promise<PoolClient>,
  work: () => Promise<Result>,
): Promise<Result | undefined> => {
  const client = await session()
  let failed: Error | undefined
  try {
    const db = onSession(client)
    const { rows } = await sql<{ held: boolean }>`
      SELECT pg_try_advisory_lock(${LOCKS.reconciliation}) AS held`.execute(db)
    if (!rows[0]?.held) return undefined
    const result = await work()
    await sql`SELECT pg_advisory_unlock(${LOCKS.reconciliation})`.execute(db)
    return result
  } catch (error) {
    failed = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // A session that failed is closed, and its lock with it.
    client.release(failed)
  }
}
