import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { connect, type Database } from '../db/connection.ts'
import { openLog } from '../log.ts'
import { TEMPLATE } from './postgres.ts'

/** A database of one's own in the tests' PostgreSQL, migrated and empty; dropped when it is closed. */
export const testDatabase = async (): Promise<Database> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY wal_log`)
  const database = connect({ ...inject('postgres'), database: name }, 10, openLog('silent'))
  return {
    ...database,
    close: async () => {
      if (!database.pool.ending) await database.close()
      await administer(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

const administer = async (statement: string): Promise<void> => {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
