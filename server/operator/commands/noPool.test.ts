import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { dataDirectory } from '../../testing/process.ts'
import { namesPlace } from './pool.ts'

/** A call of each command, that would write or report if there were a pool. */
const calls: Readonly<Record<string, readonly string[]>> = {
  user: ['suspend', 'ada@example.com'],
  reserve: ['add', '10.00', '--note', 'x'],
  mail: ['list'],
  pauses: ['pause', 'deposits', '--reason', 'We look.'],
  backup: ['backups'],
  archive: ['2026-01', 'archive'],
  keys: ['rotate'],
  ledgerCheck: [],
  chains: ['reset', 'Ethereum', '--reason', 'An absurd answer'],
  chainsCheck: [],
  auditCheck: [],
  poolStress: ['--default', '20'],
  windDown: ['rehearse'],
  liabilities: ['make'],
  books: ['2026-01', 'archive', '--form', 'hledger'],
}
/** Commands that make a database, or its tables. */
const makers = ['demo', 'migrate', 'restore']

let directory: ReturnType<typeof dataDirectory>
beforeEach(() => {
  directory = dataDirectory()
})
afterEach(() => directory.remove())

const call = (name: string, words: readonly string[], where = directory) =>
  // Only paths have no other words beside them.
  where.command(
    name,
    ...words.map((word) =>
      ['backups', 'archive'].includes(word) ? join(where.directory, word) : word,
    ),
  )

test('each command is called here or makes a database', () => {
  const { scripts } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'),
  )
  const commands = Object.values<string>(scripts).flatMap(
    (script) => /^node server\/operator\/commands\/(\w+)\.ts$/.exec(script)?.[1] ?? [],
  )
  expect([...Object.keys(calls), ...makers].sort()).toEqual([...commands, 'demo'].sort())
})

test.each(Object.entries({ ...calls, migrate: [] }))(
  '%s refuses a directory without a pool',
  async (name, words) => {
    const { code, text } = await call(name, words)
    expect(text).toMatch(/There is no (pool in|key file at) \S*data.*Set DATA_DIR to the directory/)
    expect(text).toContain(directory.dataDir)
    expect(code).toBe(1)
    for (const made of ['data', 'backups', 'archive'])
      expect(existsSync(join(directory.directory, made))).toBe(false)
  },
)

test('tables without a first start are no pool', async () => {
  const made = dataDirectory(inject('preparedData'))
  try {
    for (const [name, words] of Object.entries(calls)) {
      if (name === 'keys') continue
      const { code, text } = await call(name, words, made)
      expect([name, code, text]).toEqual([name, 1, expect.stringContaining('There is no pool in')])
    }
    expect(existsSync(join(made.directory, 'backups'))).toBe(false)
  } finally {
    await made.remove()
  }
})

test('an empty database at a URL is refused', async () => {
  const database = await testDatabase()
  const { host, port, user, password } = inject('postgres').owner
  const { rows } = await database.superuser.query('SELECT current_database() AS name')
  await database.superuser.query(
    'DROP SCHEMA public CASCADE; DROP SCHEMA graphile_worker CASCADE; CREATE SCHEMA public AUTHORIZATION pool_owner',
  )
  const place = `${rows[0].name}?host=${encodeURIComponent(host)}`
  const DATABASE_URL = `postgres://${user}:${password}@localhost:${port}/${place}`
  const other = dataDirectory(undefined, { DATABASE_URL })
  try {
    for (const [name, words] of Object.entries(calls)) {
      if (name === 'keys') continue
      const { code, text } = await call(name, words, other)
      expect([name, code, text]).toEqual([
        name,
        1,
        expect.stringMatching(/There is no pool in the database .*Set DATABASE_URL to/),
      ])
      expect(text).not.toContain(password)
    }
    const tables = "SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace"
    expect((await database.superuser.query(tables)).rowCount).toBe(0)
    expect(existsSync(other.dataDir)).toBe(false)

    expect(await other.command('migrate')).toMatchObject({
      code: 0,
      text: expect.stringContaining('They hold no pool yet.'),
    })
    expect(await other.command('ledgerCheck')).toMatchObject({
      code: 1,
      text: expect.stringContaining('There is no pool in the database'),
    })
    expect(existsSync(other.dataDir)).toBe(false)
  } finally {
    await other.remove()
    await database.close()
  }
})

test('a demonstration needs a named place', () => {
  expect(namesPlace({})).toBe(false)
  expect(namesPlace({ DATA_DIR: '' })).toBe(false)
  expect(namesPlace({ DATA_DIR: '.demo' })).toBe(true)
  expect(namesPlace({ DATABASE_URL: 'postgres://db/demo' })).toBe(true)
})
