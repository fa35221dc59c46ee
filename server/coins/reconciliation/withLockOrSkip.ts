import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { onSession } from '../../base/db/session.ts'

/** Held while coins are compared, so that one process asks the nodes. */
const COMPARE_LOCK = 7_031_999

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
      SELECT pg_try_advisory_lock(${COMPARE_LOCK}) AS held`.execute(db)
    if (!rows[0]?.held) return undefined
    const result = await work()
    await sql`SELECT pg_advisory_unlock(${COMPARE_LOCK})`.execute(db)
    return result
  } catch (error) {
    failed = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // A session that failed is closed, and its lock with it.
    client.release(failed)
  }
}
