import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { cents } from '@pool/contract/base/money'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dumpSchema } from '../../../checks/schemaDump.ts'
import { checkLedger, findingOf } from '../../ledger/check/check.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { contributeCapital } from '../../money/reserve/contributeCapital.ts'
import { checkAudit } from '../../records/audit/check.ts'
import { record } from '../../records/audit/record.ts'
import { sealAudit } from '../../records/audit/seal.ts'
import { testDatabase } from '../../testing/database.ts'
import { newKeys } from '../../testing/product.ts'
import type { Database } from './connection.ts'
import { migrate } from './migrate.ts'

/** The 24 migrations of commit a10ccfc, unchanged, by name. */
const FILES: Record<string, string> = JSON.parse(
  gunzipSync(
    readFileSync(join(import.meta.dirname, '../../testing/migrations-of-a10ccfc.json.gz')),
  ).toString(),
)
const SCHEMA = readFileSync(join(import.meta.dirname, '../migrations/schema.sql'), 'utf8')
/** The 11 files that 24 migrations became, with their digests. Their tables were the same. */
const FOLDED = [
  ['0001-people.sql', '2b695dddcd8474f169e9c75b4585124feb376250b6a0f86054d2b2be2e76d7b0'],
  ['0002-sessions.sql', '0a132db057726b21eb319b8ad15a3f0cbcd3c80bfe616eca32b9924c58cdd090'],
  ['0003-wallets.sql', '2fe3fed72ec61b827e292a6b1965894a813dc33b4863d24c7be48ec3532594f6'],
  ['0004-investments.sql', '5cd572b54ac5bcb542a4124f1e3ded9794292ee4022cff4d2956e32a0881ffd1'],
  ['0005-transactions.sql', '0f5a436ca41bd8bea2ae49bdc620206f76f7b0b7a7a4bcb82c796c43cc0a7e39'],
  ['0006-payout-addresses.sql', '1476fce4ccc873fe90430b3d7b165263e0f0db3a964890873a7e17c9695f3356'],
  ['0007-ledger.sql', '59f37521d573192fbc9553c9aa244182f7336d8751fe05ed2a8cbe35d42b5abc'],
  ['0008-idempotency.sql', '3ba75185777e41505a581ea06e95b237626e5c77ddb65e851cd6082e9da6d59b'],
  ['0009-audit.sql', 'b91aa93aa824c39d1b3fa5cd04f151a15ddb844e570d9dccdcc1f747d5b5adf3'],
  ['0010-pauses.sql', '268c84b80bb5c357bc18e0c679c1cb6593db3f320518d1d0894fd6099bf4d5c8'],
  ['0011-tallies.sql', 'ca537184d6303cf4a49bd01007fc9ee20ec220dbec64f2b59c48d23059c2e339'],
] as const
/** The names of what a start applies after the bridge: newer files, then routines. */
const APPLIED = [
  ...readdirSync(join(import.meta.dirname, '../migrations'))
    .filter((name) => Number(name.slice(0, 4)) > 10)
    .sort(),
  'routines',
]
const keys = newKeys()

let database: Database

/** A database made by commit a10ccfc, with an audit entry from before entries were signed. */
beforeEach(async () => {
  database = await testDatabase('owner')
  const { pool } = database
  await pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await pool.query(`
    CREATE TABLE migrations (number integer PRIMARY KEY, name text NOT NULL, digest text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE routines (digest text NOT NULL, objects jsonb NOT NULL)`)
  for (const [name, sql] of Object.entries(FILES)) {
    if (name === '0018-signed-entries.sql')
      await pool.query(`
        INSERT INTO audit_entries (actor, action, subject_type, subject_id, source) VALUES ('x', 'wallet.added', 'wallet', 'x', 'x');
        INSERT INTO audit_unsealed SELECT id FROM audit_entries`)
    await pool.query(sql)
    const digest = createHash('sha256').update(sql).digest('hex')
    await pool.query('INSERT INTO migrations (number, name, digest) VALUES ($1, $2, $3)', [
      Number(name.slice(0, 4)),
      name,
      digest,
    ])
  }
})
afterEach(() => database.close())

const books = async () =>
  (await database.pool.query('SELECT * FROM migrations ORDER BY number')).rows

test('a database of the 24 migrations gets today’s schema', async () => {
  expect(await migrate(database)).toEqual(APPLIED)
  expect(await dumpSchema(database)).toBe(SCHEMA)
  expect(await migrate(database)).toEqual([])
})

test('a bridged database records the migrations of a new one', async () => {
  const today = await testDatabase('owner')
  const names = async ({ pool }: Database) =>
    (await pool.query('SELECT number, name, digest FROM migrations ORDER BY number')).rows
  const routines = async ({ pool }: Database) => (await pool.query('SELECT * FROM routines')).rows
  await migrate(database)
  expect([await names(database), await routines(database)]).toEqual([
    await names(today),
    await routines(today),
  ])
  await today.close()
})

test('five simultaneous starts bridge the database once', async () => {
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(database)))
  expect(applied.flat()).toEqual(APPLIED)
  expect(await dumpSchema(database)).toBe(SCHEMA)
})

test('a database of the 11 files gets today’s schema', async () => {
  await database.pool.query('DELETE FROM migrations')
  for (const [place, [name, digest]] of FOLDED.entries())
    await database.pool.query('INSERT INTO migrations (number, name, digest) VALUES ($1, $2, $3)', [
      place + 1,
      name,
      digest,
    ])
  expect(await migrate(database)).toEqual(APPLIED)
  expect(await dumpSchema(database)).toBe(SCHEMA)
})

/** An investor with a deposit, an active and a paid investment, and their transfers. */
const OLDER_ROWS = `
  INSERT INTO users (id, username, password_hash, first_name, last_name, country)
  SELECT ('00000000-0000-7000-8000-00000000000' || n)::uuid, 'user' || n || '@example.com', 'x', 'A', 'B', 'US' FROM generate_series(1, 2) AS n;
  INSERT INTO wallets (id, address, network_name, owner_id)
  VALUES ('00000000-0001-7000-8000-000000000001', 'bc1', 'Bitcoin', '00000000-0000-7000-8000-000000000001');
  INSERT INTO accounts (owner_id, kind, balance)
  VALUES ('00000000-0000-7000-8000-000000000001', 'available', 940), ('00000000-0000-7000-8000-000000000001', 'held', 0), ('00000000-0000-7000-8000-000000000001', 'invested', 100);
  UPDATE accounts SET balance = CASE kind WHEN 'reserve' THEN 450 WHEN 'committed' THEN 10 END WHERE kind IN ('reserve', 'committed');
  INSERT INTO contributions VALUES ('00000000-0005-7000-8000-000000000001', 500, 'first', 'tests', now());
  INSERT INTO investments (id, user_id, principal, rate_basis_points, interest, duration_days, status, matures_at, created_at, updated_at)
  SELECT ('00000000-0002-7000-8000-00000000000' || n)::uuid, '00000000-0000-7000-8000-000000000001', n * 100, 1000 * n, 10 * n * n, 1,
    CASE n WHEN 1 THEN 'ACTIVE' ELSE 'COMPLETED' END, '2026-01-02', '2026-01-01', ('2026-01-0' || 2 * n - 1)::timestamptz FROM generate_series(1, 2) AS n;
  INSERT INTO transactions (id, user_id, type, amount, status, wallet_id, decided_by, created_at, updated_at)
  VALUES ('00000000-0003-7000-8000-000000000001', '00000000-0000-7000-8000-000000000001', 'deposit', 1000, 'APPROVED', '00000000-0001-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002', '2026-01-01', '2026-01-01');
  INSERT INTO transactions (id, user_id, type, amount, status, investment_id, created_at, updated_at)
  SELECT gen_random_uuid(), user_id, 'investment', principal, 'COMPLETED', id, created_at, created_at FROM investments
  UNION ALL SELECT gen_random_uuid(), user_id, 'payout', principal + interest, 'COMPLETED', id, updated_at, updated_at FROM investments WHERE status = 'COMPLETED';
  WITH a AS (SELECT id, kind FROM accounts), moves (place, movement, reference, source, target, amount) AS (VALUES
    (1, 'capital_contributed', '0005-7000-8000-000000000001', 'operator', 'reserve', 500),
    (2, 'deposit_confirmed', '0003-7000-8000-000000000001', 'custody', 'available', 1000),
    (3, 'investment_opened', '0002-7000-8000-000000000001', 'available', 'invested', 100),
    (4, 'investment_opened', '0002-7000-8000-000000000001', 'reserve', 'committed', 10),
    (5, 'investment_opened', '0002-7000-8000-000000000002', 'available', 'invested', 200),
    (6, 'investment_opened', '0002-7000-8000-000000000002', 'reserve', 'committed', 40),
    (7, 'investment_matured', '0002-7000-8000-000000000002', 'invested', 'available', 200),
    (8, 'investment_matured', '0002-7000-8000-000000000002', 'committed', 'available', 40))
  INSERT INTO transfers (movement, reference_id, from_account_id, to_account_id, amount)
  SELECT movement, ('00000000-' || reference)::uuid, source.id, target.id, moves.amount
  FROM moves JOIN a AS source ON source.kind = moves.source JOIN a AS target ON target.kind = moves.target ORDER BY place`

test('a bridge keeps every row and cent', async () => {
  const { pool, db } = database
  await pool.query(OLDER_ROWS)
  const kept = async () => ({
    transfers: (
      await pool.query(
        'SELECT movement, reference_id, from_account_id, to_account_id, amount, created_at FROM transfers ORDER BY 1, 2, 3, 4',
      )
    ).rows,
    investments: (
      await pool.query(
        'SELECT id, user_id, principal, rate_basis_points, interest, duration_days, status, matures_at, created_at, updated_at FROM investments ORDER BY id',
      )
    ).rows,
    transactions: (
      await pool.query(
        'SELECT user_id, type, amount, status, created_at FROM transactions ORDER BY 2, 3',
      )
    ).rows,
    accounts: (
      await pool.query(
        "SELECT id, owner_id, kind, balance FROM accounts WHERE kind NOT IN ('claims', 'outgoing', 'loans', 'deployed', 'loss', 'sending') ORDER BY id",
      )
    ).rows,
  })
  const before = await kept()
  expect(before.transfers).toHaveLength(8)
  await migrate(database)
  expect(await kept()).toEqual(before)
  await pool.query('SELECT recount_tallies()')
  expect(findingOf(await checkLedger(db))).toBeUndefined()
})

test('a bridged database takes money', async () => {
  await migrate(database)
  // The old entry was inserted without triggers.
  await database.pool.query('SELECT recount_tallies()')
  const ledger = openLedger(database.pool)
  const capital = { amount: cents(5_00n), note: 'more', contributedBy: 'tests' }
  await contributeCapital({ keys, ledger }, capital)
  expect(findingOf(await checkLedger(database.db))).toBeUndefined()
  const { rows } = await database.pool.query("SELECT balance FROM accounts WHERE kind = 'reserve'")
  expect(rows).toEqual([{ balance: 5_00n }])
})

test('a bridged audit trail continues with signed entries', async () => {
  const { pool, db } = database
  await migrate(database)
  expect(await checkAudit({ db, keys })).toMatchObject({
    entries: 1n,
    keyless: 1n,
    head: { position: 1n },
  })
  await record(db, keys, {
    by: { name: 'x', from: 'x' },
    action: 'wallet.added',
    subject: { type: 'wallet', id: 'x' },
  })
  expect(await sealAudit({ db, keys })).toEqual({ sealed: 1, unsigned: [] })
  const { firstBreak, keyless, head } = await checkAudit({ db, keys })
  expect([firstBreak, keyless, head?.position]).toEqual([undefined, 1n, 2n])
  await expect(pool.query("INSERT INTO audit_seals VALUES (3, 1, '')")).rejects.toThrow(
    /audit_seals_name_their_key/,
  )
})

test.each([
  ['lacks the last migration', 'DELETE FROM migrations WHERE number = 24'],
  ['has a changed migration', "UPDATE migrations SET digest = repeat('0', 64) WHERE number = 17"],
  [
    'has one more migration',
    "INSERT INTO migrations (number, name, digest) VALUES (39, '0039-more.sql', '')",
  ],
  ['is older', "UPDATE migrations SET name = '0001-users.sql' WHERE number = 1"],
])('a database that %s is refused unchanged', async (_, statement) => {
  await database.pool.query(statement)
  const before = await books()
  await expect(migrate(database)).rejects.toThrow('Start that commit on it once')
  expect(await books()).toEqual(before)
})
