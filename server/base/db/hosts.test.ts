import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { type Door, openDoor } from '../../testing/door.ts'
import { connectTo, dataDirectory } from '../../testing/process.ts'
import { readConfig } from '../configuration/config.ts'
import { urlsOf } from '../configuration/databaseUrls.ts'
import { openLog } from '../process/log.ts'
import { connect, type Database, openDatabase } from './connection.ts'

const log = openLog('silent')

type Server = {
  readonly database: Database
  readonly setReadOnly: (value: boolean) => Promise<void>
}
const directories = [1, 2].map(() => dataDirectory(inject('preparedData')))
let servers: readonly Server[]
beforeAll(async () => {
  servers = await Promise.all(
    directories.map(async (directory) => {
      const config = readConfig({ DATA_DIR: directory.dataDir })
      const database = await openDatabase(config, { log, role: 'operator' })
      const setReadOnly = async (value: boolean) => {
        const { pool, close } = connectTo(directory)
        await pool.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`)
        await pool.query('SELECT pg_reload_conf()')
        await vi.waitFor(async () => {
          const { rows } = await database.direct.query('SHOW default_transaction_read_only')
          expect(rows[0].default_transaction_read_only).toBe(value ? 'on' : 'off')
        })
        await close()
      }
      return { database, setReadOnly }
    }),
  )
})
afterAll(async () => {
  for (const { database } of servers) await database.close()
  for (const directory of directories) await directory.remove()
})

const doorOf = ({ database }: Server): Promise<Door> =>
  openDoor(database.address ?? { host: '', port: 0 })
let doors: Door[]
let opened: Database | undefined
beforeEach(async () => {
  doors = await Promise.all(servers.map(doorOf))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await opened?.close()
  opened = undefined
  for (const door of doors) door.close()
})

const through = (...ports: readonly number[]): Database => {
  const { user, password } = servers[0]?.database.address ?? {}
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join()
  const connectionString = `postgres://${user}:${password}@${hosts}/pool?target_session_attrs=read-write`
  opened = connect({ connectionString }, 4, log)
  return opened
}
const WRITE = 'DELETE FROM login_throttles'

test('connections go to the host that takes writes', async () => {
  const [first, second] = servers as [Server, Server]
  await first.setReadOnly(true)
  const database = through(1, ...doors.map(({ port }) => port))
  await Promise.all(Array.from({ length: 8 }, () => database.pool.query(WRITE)))
  await database.direct.query(WRITE)

  await first.setReadOnly(false)
  await second.setReadOnly(true)
  await vi.waitFor(() => database.pool.query(WRITE), { timeout: 20_000 })
  await second.setReadOnly(false)
})

test('a single read-only host still answers reads', async () => {
  const [first] = servers as [Server]
  await first.setReadOnly(true)
  const { pool } = through(doors[0]?.port ?? 0)
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await first.setReadOnly(false)
})

test('queries wait for a server that starts', async () => {
  const [door] = doors as [Door]
  door.isShut = true
  const { pool, db } = through(door.port)
  const asked = [pool.query('SELECT 1'), db.selectFrom('users').select('id').execute()]
  await vi.waitFor(() => expect(door.knocks).toBeGreaterThan(3))
  door.isShut = false
  await Promise.all(asked)
})

test('those who wait share the attempts', async () => {
  const [door] = doors as [Door]
  door.isShut = true
  const { pool } = through(door.port)
  const first = pool.query('SELECT 1')
  await vi.waitFor(() => expect(door.knocks).toBeGreaterThan(1))
  const before = door.knocks
  const others = Array.from({ length: 500 }, () => pool.query('SELECT 1'))
  await vi.waitFor(() => expect(door.knocks).toBeGreaterThan(before + 2))
  expect(door.knocks).toBeLessThan(before + 400)
  door.isShut = false
  await Promise.all([first, ...others])
})

test('long into an outage a query has one attempt', async () => {
  const [door] = doors as [Door]
  door.isShut = true
  const { pool } = through(door.port)
  const early = pool.query('SELECT 1').catch((error: Error) => error)
  await vi.waitFor(() => expect(door.knocks).toBeGreaterThan(1))
  const { now } = performance
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 10_000)
  expect(await early).toMatchObject({ message: 'Connection terminated unexpectedly' })

  const before = door.knocks
  await expect(pool.query('SELECT 1')).rejects.toThrow()
  expect(door.knocks).toBe(before + 1)
  door.isShut = false
  await pool.query('SELECT 1')
})

test.each([
  ['postgres://db.example/pool', ['postgres://db.example/pool']],
  [
    'postgres://u:p%2C@a,b:5433,[::1]:5434/pool?x=1,2',
    [
      'postgres://u:p%2C@a/pool?x=1,2',
      'postgres://u:p%2C@b:5433/pool?x=1,2',
      'postgres://u:p%2C@[::1]:5434/pool?x=1,2',
    ],
  ],
  ['postgres:///pool?host=/run', ['postgres:///pool?host=/run']],
])('%s has its hosts', (url, urls) => {
  expect(urlsOf(url)).toEqual(urls)
})
