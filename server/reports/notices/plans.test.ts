import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../base/configuration/config.ts'
import type { Schema } from '../../base/db/schema.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { explaining } from '../../testing/plans.ts'
import { newKeys } from '../../testing/product.ts'
import { mailNotices } from './mailNotices.ts'
import { listNotices } from './queries.ts'

const USERS = 600
const ROWS = 60_000
/** Most rows that a page of 20 may read from a table. */
const MOST_READ = 400
/** Has a third of everything. */
const BUSY = '00000000-0000-4000-8000-000000000001'
const QUIET = '00000000-0000-4000-8000-000000000002'

let database: TestDatabase
let db: Kysely<Schema>
let rowsRead: ReturnType<typeof explaining>['rowsRead']

const id = (part: string, n: string): string =>
  `('00000000-0000-4000-${part}-' || lpad(to_hex(${n}), 12, '0'))::uuid`
const owner = id('8000', `CASE WHEN n % 3 = 0 THEN 1 ELSE 2 + n % ${USERS - 1} END`)
/** Of ten entries, eight are sign-ins, one is an approval, and one is a change of a password. */
const YEAR = `
  SET session_replication_role = replica;
  INSERT INTO users (id, username, password_hash, first_name, last_name, country, created_at)
  SELECT ${id('8000', 'n')}, 'user' || n || '@example.com', 'x', 'First', 'Last', 'US', now() - interval '1 year' FROM generate_series(1, ${USERS}) AS n;
  INSERT INTO transactions (id, user_id, type, amount, status, destination_address, created_at, updated_at)
  SELECT ${id('b000', 'n')}, ${owner}, 'withdrawal', 500, 'APPROVED', 'destination', at, at
  FROM (SELECT n, now() - (${ROWS} - n) * interval '8 minutes' AS at FROM generate_series(1, ${ROWS}) AS n) AS made;
  INSERT INTO audit_entries (created_at, actor, action, subject_type, subject_id, owner_id, source, nonce, mac)
  SELECT now() - (${ROWS} - n) * interval '8 minutes', 'somebody',
    CASE n % 10 WHEN 0 THEN 'withdrawal.approved' WHEN 1 THEN 'password.changed' ELSE 'session.started' END,
    CASE n % 10 WHEN 0 THEN 'transaction' ELSE 'user' END,
    CASE n % 10 WHEN 0 THEN ${id('b000', 'n')} ELSE ${owner} END,
    ${owner}, '203.0.113.7', gen_random_uuid(), 'made up' FROM generate_series(1, ${ROWS}) AS n;
  RESET session_replication_role;
  ANALYZE`

beforeAll(async () => {
  database = await testDatabase()
  ;({ db, rowsRead } = explaining(database))
  await database.superuser.query(YEAR)
})
afterAll(() => database.close())

const expectFewRows = async (read: () => Promise<unknown>, most = MOST_READ) => {
  for (const [table, count] of Object.entries(await rowsRead(read)))
    expect([table, count]).toEqual([table, expect.toSatisfy((rows: number) => rows <= most)])
}
const mark = (ago: string) =>
  database.superuser.query(`INSERT INTO notice_settings (user_id, read_until)
    SELECT id, now() - interval '${ago}' FROM users
    ON CONFLICT (user_id) DO UPDATE SET read_until = excluded.read_until`)

test.each([
  ['a busy reader', BUSY],
  ['a quiet reader', QUIET],
])('pages of %s are read by indexes', async (_, userId) => {
  await mark('1 day')
  const reader = { userId, isStaff: false }
  const first = await listNotices(db, reader, {})
  expect(first.notices).toHaveLength(20)
  await expectFewRows(() => listNotices(db, reader, {}))
  await expectFewRows(() => listNotices(db, reader, { cursor: first.next ?? '' }))
})

test('a count of many unread notices stops early', async () => {
  await mark('1 year')
  const reader = { userId: BUSY, isStaff: false }
  expect((await listNotices(db, reader, { limit: 0 })).unread).toBe(100)
  await expectFewRows(() => listNotices(db, reader, { limit: 0 }), 500)
})

test('mails are made of the rows since the last', async () => {
  const context = { db, config: readConfig({}), keys: newKeys() }
  await database.superuser.query("UPDATE notice_mailing SET until = now() - interval '8 hours'")
  expect(await mailNotices(context)).toBeGreaterThan(0)
  await database.superuser.query("UPDATE notice_mailing SET until = now() - interval '8 hours'")
  await expectFewRows(() => mailNotices(context))
})
