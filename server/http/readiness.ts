import type { NotReady } from '@pool/contract/messages'
import { refusal } from '@pool/contract/refusals'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { newestMigration } from '../db/migrate.ts'
import { WRITES } from '../db/outages.ts'

const DATABASE_TIMEOUT_MS = 2_000

/**
 * Throws `notReady` with the reason while this process should get no requests. Concurrent calls
 * share one query, so that a hanging database costs one connection.
 */
export const readinessOf = ({
  db,
  lifecycle,
}: Pick<Context, 'db' | 'lifecycle'>): (() => Promise<void>) => {
  const newest = newestMigration()
  let asking: Promise<NotReady | undefined> | undefined

  // A write waits for a standby where one is required, so it tells that writes return in time.
  const askDatabase = async (): Promise<NotReady | undefined> => {
    const { rows } = await sql<{ newest: number | null; readOnly: boolean }>`
      SELECT max(number) AS newest, ${sql.raw(WRITES)} FROM migrations`.execute(db)
    if (rows[0]?.readOnly) return 'database'
    return rows[0]?.newest === newest ? undefined : 'migrations'
  }
  const problem = async (): Promise<NotReady | undefined> => {
    const stage = lifecycle.stage()
    if (stage !== 'serving') return stage
    asking ??= askDatabase()
      .catch(() => 'database' as const)
      .finally(() => {
        asking = undefined
      })
    const found = await Promise.race([asking, timedOut()])
    return found ?? (lifecycle.jobsRun() ? undefined : 'jobs')
  }
  return async () => {
    const why = await problem()
    if (why) throw refusal('notReady', { why })
  }
}

const timedOut = (): Promise<'database'> =>
  new Promise((resolve) => setTimeout(resolve, DATABASE_TIMEOUT_MS, 'database').unref())
