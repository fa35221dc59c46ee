import { spawn } from 'node:child_process'
import { chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectTo, dataDirectory } from '../../testing/process.ts'
import { readConfig } from '../configuration/config.ts'
import { type Database, openDatabase } from '../db/connection.ts'
import { openLog } from '../process/log.ts'

let directory: ReturnType<typeof dataDirectory>
beforeEach(() => {
  directory = dataDirectory()
})
afterEach(() => directory.remove())

const open = (role: 'server' | 'operator'): Promise<Database> =>
  openDatabase(readConfig({ DATA_DIR: directory.dataDir }), { log: openLog('silent'), role })

/** Queries the running database as its superuser. */
const ask = async (question: string) => {
  const { pool, close } = connectTo(directory)
  const { rows } = await pool.query(question)
  await close()
  return rows
}

test('committed data survives kill -9 of the product', async () => {
  const product = await directory.start()
  await ask("CREATE TABLE proof AS SELECT 'kept' AS word")

  await product.end('SIGKILL')
  const next = await open('server')
  expect(await ask('SELECT word FROM proof')).toEqual([{ word: 'kept' }])
  await next.close()
})

test('a second start on the same data is refused', async () => {
  const product = await directory.start()
  await expect(open('server')).rejects.toThrow(
    `in use by another running product (process ${product.process.pid})`,
  )
  const operator = await open('operator')
  expect((await operator.pool.query('SELECT count(*)::int AS users FROM users')).rows).toEqual([
    { users: 1 },
  ])
  await operator.close()
  expect(await product.end('SIGTERM')).toBe(0)
})

test('a product keeps its claim when a database process dies', async () => {
  const database = await open('server')
  const { rows } = await database.pool.query<{ id: number }>('SELECT pg_backend_pid() AS id')
  process.kill(rows[0]?.id ?? 0, 'SIGKILL')
  const claims =
    "SELECT count(*)::int AS claims FROM pg_locks WHERE locktype = 'advisory' AND granted"
  await vi.waitFor(
    async () => expect((await database.pool.query(claims)).rows).toEqual([{ claims: 1 }]),
    { timeout: 20_000, interval: 50 },
  )
  await expect(open('server')).rejects.toThrow(
    `in use by another running product (process ${process.pid})`,
  )
  expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await database.close()
})

test('one of two simultaneous first starts succeeds', async () => {
  const starts = await Promise.allSettled([directory.start(), directory.start()])
  const winners = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  expect(winners).toHaveLength(1)
  await winners[0]?.end('SIGTERM')
  await (await open('server')).close()
})

test.runIf(process.platform === 'linux')(
  'a reused process id does not prevent a start',
  async () => {
    const lockFile = join(directory.dataDir, 'postgres/postmaster.pid')
    const before = await open('server')
    const text = readFileSync(lockFile, 'utf8')
    await before.close()
    const stranger = spawn('sleep', ['120'])
    writeFileSync(lockFile, text.replace(/^\d+/, String(stranger.pid)), { mode: 0o600 })
    const { uid, gid } = statSync(join(directory.dataDir, 'postgres'))
    chownSync(lockFile, uid, gid)
    const after = await open('server')
    await after.close()
    stranger.kill()
  },
)

test('a failed start leaves no database running', async () => {
  const occupant = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => occupant.once('listening', resolve))
  const address = occupant.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  await expect(directory.start({ PORT: port })).rejects.toThrow('EADDRINUSE')
  await vi.waitFor(
    () =>
      expect(() => statSync(join(directory.dataDir, 'postgres/postmaster.pid'))).toThrow('ENOENT'),
    { timeout: 20_000 },
  )
  occupant.close()
})

test('an operator command makes no database', async () => {
  await expect(open('operator')).rejects.toThrow(/There is no database in/)
  expect(existsSync(directory.dataDir)).toBe(false)
})

test('an operator command stops the database that it started', async () => {
  await (await open('server')).close()
  const operator = await open('operator')
  await operator.pool.query('SELECT 1')
  await operator.close()
  const again = await open('server')
  await again.close()
})

test('a killed database is restarted under the product', async () => {
  const database = await open('server')
  const processId = Number.parseInt(
    readFileSync(join(directory.dataDir, 'postgres/postmaster.pid'), 'utf8'),
    10,
  )
  process.kill(processId, 'SIGKILL')
  await vi.waitFor(
    async () => expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]),
    {
      timeout: 20_000,
      interval: 100,
    },
  )
  await database.close()
})

test('the database has no network listener and demands passwords', async () => {
  const database = await open('server')
  const rows = await ask(
    "SELECT current_setting('listen_addresses') AS addresses, current_setting('fsync') AS fsync, current_setting('data_checksums') AS checksums",
  )
  expect(rows).toEqual([
    { addresses: process.platform === 'win32' ? '127.0.0.1' : '', fsync: 'on', checksums: 'on' },
  ])
  expect(await ask('SELECT DISTINCT auth_method FROM pg_hba_file_rules')).toEqual([
    { auth_method: 'scram-sha-256' },
  ])
  await database.close()
})
