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
import { postGroup } from '../ledger/postGroup.ts'
import { testDatabase } from '../testing/database.ts'
import { newKeys } from '../testing/product.ts'
import type { Database } from './connection.ts'
import { migrate } from './migrate.ts'

/** The 38 files of commit 9108dae, unchanged, by name. */
const FILES: Record<string, string> = JSON.parse(
  gunzipSync(
    readFileSync(join(import.meta.dirname, '../testing/migrations-of-9108dae.json.gz')),
  ).toString(),
)
const SCHEMA = readFileSync(join(import.meta.dirname, '../migrations/schema.sql'), 'utf8')
const CAPITAL = {
  movement: 'capital_contributed',
  reference_id: '00000000-0000-4000-8000-000000000001',
  legs: [{ from_kind: 'operator', to_kind: 'reserve', amount: 500_00 }],
  contribution: {
    id: '00000000-0000-4000-8000-000000000001',
    amount: 500_00,
    note: 'before',
    contributed_by: 'tests',
  },
}

let database: Database

/** A database made by commit 9108dae, with $500.00 in the reserve. */
beforeEach(async () => {
  database = await testDatabase('owner')
  const { pool } = database
  await pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await pool.query(
    'CREATE TABLE migrations (number integer PRIMARY KEY, name text NOT NULL, digest text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  )
  for (const [name, sql] of Object.entries(FILES)) {
    await pool.query(sql)
    const digest = createHash('sha256').update(sql).digest('hex')
    await pool.query('INSERT INTO migrations (number, name, digest) VALUES ($1, $2, $3)', [
      Number(name.slice(0, 4)),
      name,
      digest,
    ])
  }
  await pool.query('SELECT post_operations($1)', [JSON.stringify([CAPITAL])])
})
afterEach(() => database.close())

const reserve = async () =>
  (await database.pool.query("SELECT balance FROM accounts WHERE kind = 'reserve'")).rows[0].balance
const books = async () =>
  (await database.pool.query('SELECT * FROM migrations ORDER BY number')).rows

test('a database of the 38 migrations gets today’s schema', async () => {
  expect(await migrate(database)).toContain('routines')
  expect(await dumpSchema(database)).toBe(SCHEMA)
  expect(await reserve()).toBe(500_00n)
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
  expect(applied.flat().filter((name) => name === 'routines')).toEqual(['routines'])
  expect(await dumpSchema(database)).toBe(SCHEMA)
})

test('a bridged audit trail continues with signed entries', async () => {
  const { pool, db } = database
  const product = { db, keys: newKeys() }
  await pool.query('SELECT seal_audit(1)')
  const id = '00000000-0000-4000-8000-000000000002'
  await pool.query('SELECT post_operations($1)', [
    JSON.stringify([
      { ...CAPITAL, reference_id: id, contribution: { ...CAPITAL.contribution, id } },
    ]),
  ])
  await migrate(database)
  expect(await checkAudit(product)).toMatchObject({
    entries: 2n,
    keyless: 2n,
    head: { position: 2n },
  })
  await record(db, product.keys, {
    by: { name: 'x', from: 'x' },
    action: 'wallet.added',
    subject: { type: 'wallet', id: 'x' },
  })
  expect(await sealAudit(product)).toEqual({ sealed: 1, unsigned: [] })
  const { firstBreak, keyless, head } = await checkAudit(product)
  expect([firstBreak, keyless, head?.position]).toEqual([undefined, 2n, 3n])
  await expect(pool.query("INSERT INTO audit_seals VALUES (4, 1, '')")).rejects.toThrow(
    /audit_seals_name_their_key/,
  )
})

test("a stored refusal answers with the contract's code", async () => {
  const [investor, nobody] = [crypto.randomUUID(), crypto.randomUUID()]
  await database.pool.query(
    "INSERT INTO accounts (owner_id, kind, balance) SELECT $1, kind, 0 FROM unnest(ARRAY['available', 'held', 'invested']) AS kind",
    [investor],
  )
  const leg = (from_kind: string, to_kind: string) => ({ from_kind, to_kind, amount: 500_01 })
  const operations = [
    { owner_id: investor, legs: [leg('available', 'held')] },
    { owner_id: investor, legs: [leg('held', 'custody')] },
    { owner_id: investor, legs: [leg('reserve', 'committed')] },
    { owner_id: nobody, legs: [leg('available', 'held')] },
    { owner_id: investor, decision: { transaction_id: nobody, status: 'REJECTED' } },
  ].map((operation, n) => ({
    ...operation,
    movement: 'withdrawal_held',
    reference_id: crypto.randomUUID(),
    actor_id: investor,
    key: `key ${n}`,
    request_hash: 'any',
  }))
  const { rows } = await database.pool.query('SELECT post_operations($1) AS outcomes', [
    JSON.stringify(operations),
  ])
  expect(rows[0].outcomes).toMatchObject([
    { refused: 'short', kind: 'available' },
    { refused: 'short', kind: 'held' },
    { refused: 'short', kind: 'reserve' },
    { refused: 'noAccount' },
    { refused: 'alreadyDecided', status: null },
  ])
  await migrate(database)
  const repeats = operations.map(({ key }) => ({
    movement: 'withdrawal_held' as const,
    by: { id: investor, from: 'tests' },
    id: crypto.randomUUID(),
    amount: cents(500_01n),
    description: '',
    destinationAddress: '',
    destinationNetwork: '',
    idempotency: { actorId: investor, key, requestHash: 'any' },
  }))
  expect(await postGroup(database.pool, repeats)).toEqual([
    { refused: 'insufficientFunds', balance: '0' },
    { refused: 'internal', why: 'found only 0 cents in held' },
    { refused: 'reserveExhausted' },
    { refused: 'internal', why: 'names an account that was never opened' },
    { refused: 'transactionNotFound' },
  ])
})

test.each([
  ['lacks the last migration', 'DELETE FROM migrations WHERE number = 38'],
  ['has a changed migration', "UPDATE migrations SET digest = repeat('0', 64) WHERE number = 17"],
  [
    'has one more migration',
    "INSERT INTO migrations (number, name, digest) VALUES (39, '0039-more.sql', '')",
  ],
])('a database that %s is refused unchanged', async (_, statement) => {
  await database.pool.query(statement)
  const before = await books()
  await expect(migrate(database)).rejects.toThrow('Start that commit on it once')
  expect(await books()).toEqual(before)
  expect(await reserve()).toBe(500_00n)
})
