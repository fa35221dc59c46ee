import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testDatabase } from '../server/testing/database.ts'
import { dumpSchema } from './schemaDump.ts'
import { ROOT } from './sources.ts'

const FILE = join(ROOT, 'server/migrations/schema.sql')

test('schema.sql is what the migrations add up to', async () => {
  const database = await testDatabase()
  const schema = await dumpSchema(database)
  await database.close()
  if (process.env.UPDATE_SCHEMA === 'yes') writeFileSync(FILE, schema)
  expect(schema).toBe(readFileSync(FILE, 'utf8'))
})
