import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { lastRelease } from '../../testing/releases.ts'
import { keptDatabase, lacksOf } from '../../testing/usedDatabase.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const used = keptDatabase(lastRelease)
const lacks = () => lacksOf(database.superuser, used)

test('the database keeps what the last release uses', async () => {
  expect(await lacks()).toEqual([])
})

test.each([
  ['DROP TABLE wallet_assignments', 'wallet_assignments.source is used as bytea: read insert'],
  ['ALTER TABLE users RENAME country TO land', 'users.country is used as text: read insert update'],
  [
    'ALTER TABLE login_throttles ALTER failures TYPE bigint',
    'login_throttles.failures is used as integer: read insert update',
  ],
  [
    'REVOKE UPDATE ON sessions FROM pool_app',
    'sessions.last_used_at is used as timestamp with time zone: read update',
  ],
  ['ALTER TABLE sessions ADD more text NOT NULL', 'sessions.more must be given, and is not known'],
  ['DROP FUNCTION use_sessions', 'use_sessions(bytea[]) that returns void is called'],
  [
    'REVOKE EXECUTE ON FUNCTION use_sessions FROM pool_app',
    'use_sessions(bytea[]) that returns void is called',
  ],
])('a change that breaks the last release is named: %s', async (change, lack) => {
  const client = await database.superuser.connect()
  try {
    await client.query('BEGIN')
    await client.query(change)
    expect(await lacksOf(client, used)).toContain(lack)
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
})
