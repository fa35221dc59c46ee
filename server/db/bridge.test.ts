import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { cents } from '@pool/contract/money'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dumpSchema } from '../../checks/schemaDump.ts'
import { checkAudit } from '../audit/check.ts'
import { record } from '../audit/record.ts'
import { sealAudit } from '../audit/seal.ts'
import { checkLedger, findingOf } from '../ledger/check.ts'
import { openLedger } from '../ledger/ledger.ts'
import { contributeCapital } from '../reserve/contributeCapital.ts'
import { testDatabase } from '../testing/database.ts'
import { newKeys } from '../testing/product.ts'
import type { Database } from './connection.ts'
import { migrate } from './migrate.ts'

/** The 24 migrations of commit a10ccfc, unchanged, by name. */
const FILES: Record<string, string> = JSON.parse(
  gunzipSync(
    readFileSync(join(import.meta.dirname, '../testing/migrations-of-a10ccfc.json.gz')),
  ).toString(),
)
const SCHEMA = readFileSync(join(import.meta.dirname, '../migrations/schema.sql'), 'utf8')
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
  expect(await migrate(database)).toEqual(['routines'])
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
  expect(applied.flat()).toEqual(['routines'])
  expect(await dumpSchema(database)).toBe(SCHEMA)
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
