import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, inject } from 'vitest'
import { connect, type Database } from '../base/db/connection.ts'
import { restrictDatabase } from '../base/postgres/ownership.ts'
import { openLog } from '../base/process/log.ts'
import { TEMPLATE } from './postgres.ts'
import { isRecorded, recordCalls } from './record.ts'
import { keepRows } from './rewind.ts'

/** The product's database with a superuser pool, which passes every rule. */
export type TestDatabase = Database & { readonly superuser: pg.Pool }

/**
 * A migrated, empty database for one test, dropped at `close`. `pool` is the product's, or the
 * owner's in tests of migrations.
 */
export const testDatabase = async (
  as: 'app' | 'owner' = 'app',
  log = openLog('silent'),
): Promise<TestDatabase> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const { superuser, owner, app } = inject('postgres')
  await administer(async (client) => {
    await client.query(
      `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} OWNER pool_owner STRATEGY file_copy`,
    )
    await restrictDatabase(client, name)
  })
  const ownerAddress = { ...owner, database: name }
  const database =
    as === 'app'
      ? connect({ ...app, database: name }, 10, log, { owner: ownerAddress })
      : connect(ownerAddress, 10, openLog('silent'))
  const past = connect({ ...superuser, database: name }, 10, openLog('silent'))
  return {
    ...database,
    superuser: past.pool,
    close: async () => {
      if (!database.pool.ending) await database.close()
      // A connection reports its calls at its end.
      if (isRecorded()) {
        const { rows } = await past.pool.query('SELECT funcname FROM pg_stat_user_functions')
        recordCalls(rows.map(({ funcname }) => funcname))
      }
      await past.close()
      await administer((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
    },
  }
}

/** Puts a database back, before each test, to the rows that it had before the first one. */
export const rewindEach = (database: () => TestDatabase): void => {
  let rewind: (() => Promise<void>) | undefined
  beforeEach(async () => {
    if (rewind === undefined) rewind = await keepRows(database().superuser)
    else await rewind()
  })
}

/** One database for the tests of a file, each of which begins with the migrated, empty one. */
export const rewoundDatabase = (): (() => TestDatabase) => {
  let database: TestDatabase | undefined
  const opened = (): TestDatabase => {
    if (database === undefined) throw new Error('the database opens before the first test')
    return database
  }
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database?.close())
  rewindEach(opened)
  // A product of one test leaves it open for the next.
  return () => ({ ...opened(), close: async () => undefined })
}

const administer = async (work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
  const client = new pg.Client({ ...inject('postgres').superuser, database: 'postgres' })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
