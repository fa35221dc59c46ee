import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../server/testing/database.ts'
import { rowTypes } from './rowTypes.ts'
import { dumpSchema } from './schemaDump.ts'
import { ROOT, trackedFiles } from './sources.ts'

const FILE = join(ROOT, 'server/base/migrations/schema.sql')
const ROWS = join(ROOT, 'server/base/db/schema.ts')

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase('owner')
})
afterAll(() => database.close())

/** Reads the schema after a statement, which is taken back. */
const after = async <T>(statement: string, read: (one: { pool: pg.Pool }) => Promise<T>) => {
  const { owner } = inject('postgres')
  const pool = new pg.Pool({ ...owner, database: database.pool.options.database, max: 1 })
  try {
    await pool.query(`BEGIN; ${statement}`)
    return await read({ pool })
  } finally {
    await pool.end()
  }
}

test('schema.sql equals the migrated schema', async () => {
  const schema = await dumpSchema(database)
  if (process.env.UPDATE_SCHEMA === 'yes') writeFileSync(FILE, schema)
  expect(schema).toBe(readFileSync(FILE, 'utf8'))
})

test('the row types match the database', async () => {
  const types = await rowTypes(database)
  if (process.env.UPDATE_SCHEMA === 'yes') writeFileSync(ROWS, types)
  expect(types).toBe(readFileSync(ROWS, 'utf8'))
})

test.each([
  'ALTER TABLE users RENAME COLUMN country TO land',
  'ALTER TABLE users ALTER COLUMN suspended_at SET NOT NULL',
  'ALTER TABLE users ALTER COLUMN created_at DROP DEFAULT',
  'ALTER TABLE user_roles DROP CONSTRAINT user_roles_role_check',
])('%s changes the row types', async (statement) => {
  expect(await after(statement, rowTypes)).not.toBe(readFileSync(ROWS, 'utf8'))
})

test('a column of an unknown type is refused', async () => {
  await expect(after('ALTER TABLE users ADD COLUMN place point', rowTypes)).rejects.toThrow(
    'does not know the type point of users.place',
  )
})

test.each([
  'ALTER TABLE users ADD COLUMN nickname text',
  'ALTER TABLE users SET (fillfactor = 55)',
  'ALTER TABLE users ADD CONSTRAINT named CHECK (true)',
  "COMMENT ON TABLE users IS 'Others.'",
  "COMMENT ON COLUMN tally_change.day IS 'Another.'",
  'CREATE INDEX forgotten ON users (country)',
  'CREATE TYPE pair AS (one text, two text)',
])('%s changes the dump', async (statement) => {
  expect(await after(statement, dumpSchema)).not.toBe(readFileSync(FILE, 'utf8'))
})

test('the server calls no function that PostgreSQL 15 lacks', () => {
  const callers = trackedFiles().filter(
    (path) =>
      /^server\/(?!testing\/).*(?<!\.test)\.(?:ts|sql)$/.test(path) &&
      /\buuidv7\(/.test(readFileSync(join(ROOT, path), 'utf8')),
  )
  expect(callers).toEqual([])
})
