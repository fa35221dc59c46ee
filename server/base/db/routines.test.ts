import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { withdraw } from '@pool/contract/requests/requests'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { investorWith, type Person, startProduct } from '../../testing/product.ts'
import type { Database } from './connection.ts'
import { migrate } from './migrate.ts'
import { readRoutines } from './routines.ts'
import { withColumns } from './tableRules.ts'

let database: Database
let rooms: string

beforeEach(async () => {
  database = await testDatabase('owner')
  await database.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  rooms = mkdtempSync(join(tmpdir(), 'rooms-'))
  write('migrations/0001-rows.sql', 'CREATE TABLE rows (id integer);')
})
afterEach(async () => {
  await database.close()
  rmSync(rooms, { recursive: true })
})

const write = (path: string, sql: string) => {
  mkdirSync(join(rooms, dirname(path)), { recursive: true })
  writeFileSync(join(rooms, path), sql)
}
const run = () =>
  migrate(database, { directory: join(rooms, 'migrations'), routines: readRoutines(rooms) })
const ask = async (question: string) =>
  Object.values((await database.pool.query(question)).rows[0])[0]
const one = (body: string) =>
  `CREATE OR REPLACE FUNCTION one() RETURNS integer LANGUAGE sql AS $$ ${body} $$;`
const REFUSE =
  "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE SQLSTATE '23001'; END $$;"
const trigger = (moment: string) =>
  `CREATE OR REPLACE TRIGGER rows_stay BEFORE ${moment} ON rows FOR EACH ROW EXECUTE FUNCTION refuse();`
const triggersAsWritten = async () =>
  (
    await database.pool.query(
      "SELECT oid::text AS id, xmin::text AS written FROM pg_trigger WHERE tgname = 'rows_stay'",
    )
  ).rows

test('a changed function is replaced and keeps its oid', async () => {
  write('chain/wallets/one.sql', one('SELECT 1'))
  expect(await run()).toEqual(['0001-rows.sql', 'routines'])
  const identity = await ask("SELECT 'one'::regproc::oid")
  write('chain/wallets/one.sql', one('SELECT 2'))
  expect([await run(), await ask('SELECT one()'), await ask("SELECT 'one'::regproc::oid")]).toEqual(
    [['routines'], 2, identity],
  )
})

test('unchanged files are not applied again', async () => {
  write('chain/wallets/one.sql', one('SELECT 1'))
  await run()
  expect(await run()).toEqual([])
})

test('five simultaneous starts apply a change once', async () => {
  await run()
  write('chain/wallets/one.sql', one('SELECT 1'))
  expect((await Promise.all(Array.from({ length: 5 }, run))).flat()).toEqual(['routines'])
})

test('a function may change its return type', async () => {
  write('chain/wallets/one.sql', one('SELECT 1'))
  write('chain/wallets/views.sql', 'CREATE OR REPLACE VIEW ones AS SELECT one() AS one;')
  await run()
  write('chain/wallets/one.sql', one("SELECT 'one'").replace('integer', 'text'))
  await run()
  expect(await ask('SELECT one FROM ones')).toBe('one')
})

test('a function with other arguments replaces the old one', async () => {
  write('chain/wallets/one.sql', one('SELECT 1'))
  await run()
  write('chain/wallets/one.sql', one('SELECT n').replace('one()', 'one(n integer)'))
  await run()
  expect([
    await ask('SELECT one(3)'),
    await ask("SELECT count(*)::integer FROM pg_proc WHERE proname = 'one'"),
  ]).toEqual([3, 1])
})

test('definitions removed from the files are dropped', async () => {
  write('chain/wallets/refuse.sql', REFUSE)
  write('chain/wallets/triggers.sql', trigger('INSERT'))
  write('chain/wallets/views.sql', 'CREATE OR REPLACE VIEW all_rows AS SELECT id FROM rows;')
  await run()
  await expect(database.pool.query('INSERT INTO rows VALUES (1)')).rejects.toMatchObject({
    code: '23001',
  })
  rmSync(join(rooms, 'chain/wallets'), { recursive: true })
  await run()
  await database.pool.query('INSERT INTO rows VALUES (1)')
  expect(
    await ask("SELECT count(*)::integer FROM pg_proc WHERE pronamespace = 'public'::regnamespace"),
  ).toBe(0)
  expect(await ask("SELECT to_regclass('all_rows')")).toBeNull()
})

const guardRows = () => {
  write('base/db/refuse_change.sql', REFUSE.replace('refuse()', 'refuse_change()'))
  const routines = readRoutines(rooms, {
    tables: { rows: { update: 'id' } },
    views: {},
    functions: [],
  })
  return migrate(database, { directory: join(rooms, 'migrations'), routines })
}

test('a new column is frozen unless its rule names it', async () => {
  await guardRows()
  await database.pool.query('INSERT INTO rows VALUES (1); UPDATE rows SET id = 2')
  write('migrations/0002-more.sql', 'ALTER TABLE rows ADD more integer, ADD less integer;')
  expect(await guardRows()).toEqual(['0002-more.sql', 'routines'])
  for (const statement of ['UPDATE rows SET more = 1', 'DELETE FROM rows', 'TRUNCATE rows'])
    await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '23001' })
  await database.pool.query('UPDATE rows SET id = 3')
})

test('a migration drops a column that a guard names', async () => {
  write('migrations/0001-rows.sql', 'CREATE TABLE rows (id integer, more integer, less integer);')
  await guardRows()
  write('migrations/0002-less.sql', 'ALTER TABLE rows DROP less;')
  expect(await guardRows()).toEqual(['0002-less.sql', 'routines'])
  await expect(database.pool.query('UPDATE rows SET more = 1')).rejects.toMatchObject({
    code: '23001',
  })
})

test("an operator's own function is kept", async () => {
  await database.pool.query(
    "CREATE FUNCTION report() RETURNS text LANGUAGE sql AS $$ SELECT 'mine' $$",
  )
  write('chain/wallets/one.sql', one('SELECT 1'))
  await run()
  rmSync(join(rooms, 'chain/wallets'), { recursive: true })
  await run()
  expect(await ask('SELECT report()')).toBe('mine')
})

test('a changed function leaves triggers alone', async () => {
  write('chain/wallets/refuse.sql', REFUSE)
  write('chain/wallets/triggers.sql', trigger('UPDATE'))
  await run()
  const before = await triggersAsWritten()
  write('chain/wallets/refuse.sql', REFUSE.replace('23001', '23514'))
  await run()
  expect(await triggersAsWritten()).toEqual(before)
  write('chain/wallets/triggers.sql', trigger('INSERT'))
  await run()
  await expect(database.pool.query('INSERT INTO rows VALUES (1)')).rejects.toMatchObject({
    code: '23514',
  })
})

test('a recreated table gets its triggers back', async () => {
  write('chain/wallets/refuse.sql', REFUSE)
  write('chain/wallets/triggers.sql', trigger('INSERT'))
  await run()
  write('migrations/0002-rows.sql', 'DROP TABLE rows; CREATE TABLE rows (id bigint);')
  await run()
  await expect(database.pool.query('INSERT INTO rows VALUES (1)')).rejects.toMatchObject({
    code: '23001',
  })
})

test('a migration may change the columns of a view', async () => {
  write('chain/wallets/views.sql', 'CREATE OR REPLACE VIEW all_rows AS SELECT id FROM rows;')
  await run()
  write('migrations/0002-rows.sql', 'ALTER TABLE rows DROP COLUMN id, ADD COLUMN name text;')
  write('chain/wallets/views.sql', 'CREATE OR REPLACE VIEW all_rows AS SELECT name FROM rows;')
  await run()
  expect(await ask('SELECT count(name)::integer FROM all_rows')).toBe(0)
})

test('a failing file leaves all routines unchanged', async () => {
  write('chain/wallets/one.sql', one('SELECT 1'))
  await run()
  write('chain/wallets/one.sql', one('SELECT 2'))
  write(
    'chain/wallets/two.sql',
    'CREATE OR REPLACE FUNCTION two() RETURNS nothing LANGUAGE sql AS $$ SELECT 2 $$;',
  )
  await expect(run()).rejects.toThrow(
    'server/chain/wallets/two.sql failed and changed nothing: type "nothing" does not exist',
  )
  expect(await ask('SELECT one()')).toBe(1)
})

test.each([
  'CREATE FUNCTION one() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$;',
  'CREATE OR REPLACE FUNCTION one(n integer DEFAULT 1) RETURNS integer LANGUAGE sql AS $$ SELECT n $$;',
  'CREATE TABLE more (id integer);',
])('a room file may not hold %s', (sql) => {
  write('chain/wallets/one.sql', sql)
  expect(() => readRoutines(rooms)).toThrow('chain/wallets/one.sql holds an unreadable definition')
})

test('no request fails while functions are replaced', async () => {
  const product = await startProduct()
  const investors = await Promise.all(Array.from({ length: 7 }, () => investorWith(product, 5_000)))
  const now = readRoutines()
  const next = {
    ...now,
    digest: 'next',
    files: now.files.map(({ path, sql }) => ({ path, sql: `${sql}-- next` })),
  }
  let asked = 0
  // Each may have twenty withdrawals that wait.
  const askFor = () => {
    const { token, id: userId } = investors[asked++ % investors.length] as Person
    return product.call(withdraw, { token, payload: { userId, amount: 20 } })
  }
  for (const routines of [next, now, next, now, next]) {
    const before = Array.from({ length: 5 }, askFor)
    const applied = migrate(product.database, { routines })
    const answers = await Promise.all([...before, ...Array.from({ length: 20 }, askFor)])
    expect(await applied).toEqual(['routines'])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  }
  await product.close()
})

test('PostgreSQL accepts every function body', async () => {
  const { files } = readRoutines()
  expect(files.length).toBeGreaterThan(40)
  const product = await testDatabase('owner')
  for (const { sql } of files) await product.pool.query(await withColumns(product.pool, sql))
  await product.close()
})

test('room files contain nothing but definitions', () => {
  for (const { path, sql } of readRoutines().files) {
    const statements = sql
      .replaceAll(/\$\$.*?\$\$/gs, '')
      .replaceAll(/--.*/g, '')
      .split(';')
    const others = statements
      .map((each) => each.trim())
      .filter((each) => each !== '' && !each.startsWith('CREATE OR REPLACE '))
    expect([path, others]).toEqual([path, []])
  }
})
