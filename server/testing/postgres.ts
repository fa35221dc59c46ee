import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { readConfig } from '../base/configuration/config.ts'
import { connect, openDatabase } from '../base/db/connection.ts'
import { migrate } from '../base/db/migrate.ts'
import { type Address, addressOf } from '../base/postgres/cluster.ts'
import { startEmbedded } from '../base/postgres/embedded.ts'
import { preparePostgresFiles } from '../base/postgres/files.ts'
import { openLog } from '../base/process/log.ts'
import { migrateJobs } from '../operator/jobs/migrateJobs.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { readonly superuser: Address; readonly owner: Address; readonly app: Address }
    /** Data directory of a finished first start, copied to save its time. */
    preparedData: string
  }
}

/** The migrated database that every test database copies. */
export const TEMPLATE = 'template_for_tests'

const MEMORY = '/dev/shm'
const ENOUGH = 4 * 1024 ** 3

/**
 * Place of the databases: a memory disk with 4 GiB, unless one is named, as `npm test` does. On a
 * disk with ext4, the thousands of deleted files take half of the processor time of such a run.
 */
const placeOfDatabases = (): string => {
  if (process.env.TMPDIR !== undefined) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ENOUGH ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

/**
 * Starts one PostgreSQL for the tests of all projects, in a temporary directory and without fsync.
 */
export const setup = async ({
  vitest,
}: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const root = vitest.getRootProject()
  // Another project has started it.
  if (root.getProvidedContext().postgres) return undefined
  const directory = mkdtempSync(join(placeOfDatabases(), 'pool-tests-'))
  chmodSync(directory, 0o755)
  const log = openLog('error')
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_connections: '300',
    // Whole runs record which functions each file of tests calls.
    ...(process.env.TESTS_RECORDED_IN !== undefined && { track_functions: 'all' }),
  }
  const dataDir = join(directory, 'data')
  const { app, owner, stop } = await startEmbedded(dataDir, { log, settings })
  const superuser = addressOf(preparePostgresFiles(dataDir, () => undefined))

  const admin = connect({ ...superuser, database: 'postgres' }, 1, log)
  await admin.pool.query(`CREATE DATABASE ${TEMPLATE} OWNER pool_owner`)
  // Ending a connection that has just ended warns, and the product leaves a connection that warns.
  await admin.pool.query('ALTER ROLE CURRENT_USER SET client_min_messages = error')
  await admin.close()
  const template = connect({ ...app, database: TEMPLATE }, 2, log, {
    owner: { ...owner, database: TEMPLATE },
  })
  await migrate(template)
  await migrateJobs(template)
  await template.close()

  const preparedData = join(directory, 'prepared')
  const config = readConfig({ DATA_DIR: preparedData })
  const prepared = await openDatabase(config, { log, role: 'server' })
  await migrate(prepared)
  await migrateJobs(prepared)
  await prepared.close()

  root.provide('postgres', { superuser, owner, app })
  root.provide('preparedData', preparedData)
  return async () => {
    await stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
