import type { NotReady } from '@pool/contract/base/messages'
import { sql } from 'kysely'
import { newestMigration } from '../../base/db/migrate.ts'
import { WRITES } from '../../base/db/outages.ts'
import type { WithDb, WithLifecycle } from '../context.ts'
import { bounded } from './bounded.ts'

/** Returns why this process should get no requests. Undefined while it should. */
export const readinessOf = ({
  db,
  lifecycle,
}: WithDb & WithLifecycle): (() => Promise<NotReady | undefined>) => {
  const newest = newestMigration()
  // A write waits for a standby where one is required, so it tells that writes return in time.
  const askDatabase = bounded(async (): Promise<NotReady | undefined> => {
    const { rows } = await sql<{ newest: number | null; readOnly: boolean }>`
      SELECT max(number) AS newest, ${sql.raw(WRITES)} FROM migrations`.execute(db)
    if (rows[0]?.readOnly) return 'database'
    return rows[0]?.newest === newest ? undefined : 'migrations'
  })
  return async () => {
    const stage = lifecycle.stage()
    if (stage !== 'serving') return stage
    const found = await askDatabase().catch(() => 'database' as const)
    return found ?? (lifecycle.jobsRun() ? undefined : 'jobs')
  }
}
