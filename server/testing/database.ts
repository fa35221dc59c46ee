import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { connect, type Database } from '../base/db/connection.ts'
import { restrictDatabase } from '../base/postgres/ownership.ts'
import { openLog } from '../base/process/log.ts'
import { TEMPLATE } from './postgres.ts'

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
      `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} OWNER pool_owner STRATEGY wal_log`,
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
      await past.close()
      await administer((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
    },
  }
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
