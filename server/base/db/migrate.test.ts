import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withdraw } from '@pool/contract/requests/requests'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { balanceOf, investorWith, startProduct } from '../../testing/product.ts'
import type { Database } from './connection.ts'
import { migrate } from './migrate.ts'
import { readRoutines } from './routines.ts'

let database: Database
let directory: string

beforeEach(async () => {
  database = await testDatabase('owner')
  await database.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  directory = mkdtempSync(join(tmpdir(), 'migrations-'))
  write('0001-first.sql', 'CREATE TABLE first (id integer);')
})
afterEach(async () => {
  await database.close()
  rmSync(directory, { recursive: true })
})

const write = (name: string, sql: string) => writeFileSync(join(directory, name), sql)
/** Room folders lie beside the numbered files here. They are empty unless a test writes one. */
const run = () => migrate(database, { directory, routines: readRoutines(directory) })
const exists = async (table: string) =>
  (await database.pool.query('SELECT to_regclass($1) IS NOT NULL AS exists', [table])).rows[0]
    .exists

test('each file is applied once, in order', async () => {
  write(
    '0002-second.sql',
    'ALTER TABLE first ADD COLUMN name text; CREATE TABLE second (id integer);',
  )
  expect(await run()).toEqual(['0001-first.sql', '0002-second.sql', 'routines'])
  expect(await run()).toEqual([])
})

test('five simultaneous starts apply each file once', async () => {
  const applied = await Promise.all(Array.from({ length: 5 }, run))
  expect(applied.flat()).toEqual(['0001-first.sql', 'routines'])
})

test('a failing file undoes the files before it too', async () => {
  write('0002-broken.sql', 'CREATE TABLE second (id integer); SELECT 1 / 0;')
  await expect(run()).rejects.toThrow(
    'Migration 0002-broken.sql failed and changed nothing: division by zero',
  )
  expect([await exists('first'), await exists('second')]).toEqual([false, false])
  write('0002-broken.sql', 'CREATE TABLE second (id integer);')
  expect(await run()).toEqual(['0001-first.sql', '0002-broken.sql', 'routines'])
})

test('an applied file that has changed is refused', async () => {
  await run()
  write('0001-first.sql', 'CREATE TABLE first (id bigint);')
  await expect(run()).rejects.toThrow(/0001-first.sql has changed since it was applied/)
})

test('a database newer than the code is refused', async () => {
  write('0002-future.sql', 'CREATE TABLE future (id integer);')
  await run()
  rmSync(join(directory, '0002-future.sql'))
  await expect(run()).rejects.toThrow(
    /0002-future.sql, which this version of the product does not know/,
  )
})

test('a database of 1.x is refused and keeps all', async () => {
  write('0001-people.sql', 'CREATE TABLE people (id integer);')
  rmSync(join(directory, '0001-first.sql'))
  await run()
  await expect(migrate(database)).rejects.toThrow(
    'The database is of a version before 2.0.0, and nothing in it was changed.',
  )
  expect([await exists('people'), await exists('users')]).toEqual([true, false])
})

test('a failed migration leaves the running version untouched', async () => {
  const product = await startProduct()
  const { pool } = product.database
  const investor = await investorWith(product, 100)
  const state = async () => (await pool.query('SELECT * FROM accounts ORDER BY id')).rows
  const before = await state()
  cpSync(join(import.meta.dirname, '../migrations'), directory, {
    recursive: true,
    filter: (path) => !path.endsWith('schema.sql'),
  })
  rmSync(join(directory, '0001-first.sql'))
  write('9001-fine.sql', 'CREATE TABLE fine (id integer);')
  write(
    '9002-broken.sql',
    'ALTER TABLE accounts ADD COLUMN colour text; DELETE FROM users; SELECT 1 / 0;',
  )
  await expect(migrate(product.database, { directory })).rejects.toThrow(
    '9002-broken.sql failed and changed nothing',
  )
  expect(await state()).toEqual(before)
  expect(await product.database.pool.query("SELECT to_regclass('fine') AS fine")).toMatchObject({
    rows: [{ fine: null }],
  })
  expect(await migrate(product.database)).toEqual([])
  const held = await product.call(withdraw, {
    token: investor.token,
    payload: { userId: investor.id, amount: 40 },
  })
  expect(held.status).toBe(200)
  expect(await balanceOf(product, investor)).toBe(60)
  await product.close()
})

test.each([
  ['first', 'second'],
  ['second', 'first'],
])('a migration ends no request that has read %s', async (read, other) => {
  write('0002-second.sql', 'CREATE TABLE second (id integer);')
  await run()
  const change = (table: string) => `ALTER TABLE ${table} ADD COLUMN name text;`
  write('0003-third.sql', change(other) + change(read))
  const client = await database.pool.connect()
  await client.query('BEGIN')
  await client.query(`SELECT FROM ${read}`)
  const migrated = run()
  const waiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = '${read}'::regclass`
  while ((await database.owner.query(waiting)).rowCount === 0);
  // The migration may hold this table, and waits for the one that was read.
  await client.query(`SELECT FROM ${other}`)
  await client.query('COMMIT')
  client.release()
  expect(await migrated).toEqual(['0003-third.sql', 'routines'])
})

test('a migration locks tables that nobody may change', async () => {
  // Before PostgreSQL 17, no right but these three lets an owner lock a table.
  const rights = 'UPDATE, DELETE, TRUNCATE, MAINTAIN'
  write('0001-first.sql', `CREATE TABLE first (); REVOKE ${rights} ON first FROM CURRENT_USER;`)
  await run()
  const { pool } = database
  const mayDelete = async () =>
    (await pool.query("SELECT has_table_privilege('first', 'DELETE') AS may")).rows[0].may
  await expect(pool.query('DO $$ BEGIN LOCK TABLE first; END $$')).rejects.toThrow(
    'permission denied',
  )
  write('0002-second.sql', 'ALTER TABLE first ADD COLUMN name text;')
  expect(await run()).toEqual(['0002-second.sql', 'routines'])
  expect(await mayDelete()).toBe(false)
})
