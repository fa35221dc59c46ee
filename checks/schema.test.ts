import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testDatabase } from '../server/testing/database.ts'
import { rowTypes } from './rowTypes.ts'
import { dumpSchema } from './schemaDump.ts'
import { ROOT, trackedFiles } from './sources.ts'

const FILE = join(ROOT, 'server/base/migrations/schema.sql')
const ROWS = join(ROOT, 'server/base/db/schema.ts')

test('schema.sql equals the migrated schema', async () => {
  const database = await testDatabase('owner')
  const schema = await dumpSchema(database)
  await database.close()
  if (process.env.UPDATE_SCHEMA === 'yes') writeFileSync(FILE, schema)
  expect(schema).toBe(readFileSync(FILE, 'utf8'))
})

test('the row types match the database', async () => {
  const database = await testDatabase('owner')
  const types = await rowTypes(database)
  await database.close()
  if (process.env.UPDATE_SCHEMA === 'yes') writeFileSync(ROWS, types)
  expect(types).toBe(readFileSync(ROWS, 'utf8'))
})

test.each([
  'ALTER TABLE users RENAME COLUMN country TO land',
  'ALTER TABLE users ALTER COLUMN suspended_at SET NOT NULL',
  'ALTER TABLE users ALTER COLUMN created_at DROP DEFAULT',
  'ALTER TABLE user_roles DROP CONSTRAINT user_roles_role_check',
])('%s changes the row types', async (statement) => {
  const database = await testDatabase('owner')
  await database.pool.query(statement)
  const types = await rowTypes(database)
  await database.close()
  expect(types).not.toBe(readFileSync(ROWS, 'utf8'))
})

test('a column of an unknown type is refused', async () => {
  const database = await testDatabase('owner')
  await database.pool.query('ALTER TABLE users ADD COLUMN place point')
  await expect(rowTypes(database)).rejects.toThrow('does not know the type point of users.place')
  await database.close()
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
  const database = await testDatabase('owner')
  await database.pool.query(statement)
  const schema = await dumpSchema(database)
  await database.close()
  expect(schema).not.toBe(readFileSync(FILE, 'utf8'))
})

test('the server calls no function that PostgreSQL 15 lacks', () => {
  const callers = trackedFiles().filter(
    (path) =>
      /^server\/(?!testing\/).*(?<!\.test)\.(?:ts|sql)$/.test(path) &&
      /\buuidv7\(/.test(readFileSync(join(ROOT, path), 'utf8')),
  )
  expect(callers).toEqual([])
})
