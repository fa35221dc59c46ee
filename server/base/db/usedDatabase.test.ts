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

test('nodes of 1.0.0 get wallets and admit registrations', async () => {
  const { rows } = await database.pool.query(
    `SELECT assign_wallets(ARRAY[gen_random_uuid()], ARRAY[NULL::bytea], ARRAY[NULL::integer], ARRAY[NULL::integer]) AS wallets,
       admit_registration('here', 1) AS first`,
  )
  expect(rows).toEqual([{ wallets: [{ refused: 'noWalletAvailable' }], first: 0 }])
  const again = await database.pool.query("SELECT admit_registration('here', 1) AS seconds")
  expect(again.rows[0].seconds).toBeGreaterThan(3_500)
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
    'REVOKE EXECUTE ON FUNCTION admit_registration FROM pool_app',
    'admit_registration(bytea,integer) that returns integer is called',
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
