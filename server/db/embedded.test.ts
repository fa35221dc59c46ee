import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { openLog } from '../log.ts'
import { type Database, openDatabase } from './connection.ts'

const log = openLog('silent')
let directory: string
let children: ChildProcess[]

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pool-embedded-'))
  chmodSync(directory, 0o755)
  children = []
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

const open = (role: 'server' | 'operator'): Promise<Database> =>
  openDatabase(readConfig({ DATA_DIR: join(directory, 'data') }), { log, role })

/** The whole product as a process of its own, so that it can be killed. Resolves once it is ready. */
const startProduct = async (): Promise<ChildProcess> => {
  const product = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: { ...process.env, DATA_DIR: join(directory, 'data'), PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(product)
  await new Promise<void>((resolve, reject) => {
    product.stdout?.on('data', (text) => String(text).includes('is ready') && resolve())
    product.on('exit', (code) => reject(new Error(`the product ended with ${code}`)))
  })
  return product
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', resolve))

test('what was committed before kill -9 of the product is there after the next start', async () => {
  const product = await startProduct()
  const operator = await open('operator')
  await operator.pool.query("CREATE TABLE proof AS SELECT 'kept' AS word")
  await operator.close()

  const gone = ended(product)
  product.kill('SIGKILL')
  await gone
  const next = await open('server')
  expect((await next.pool.query('SELECT word FROM proof')).rows).toEqual([{ word: 'kept' }])
  await next.close()
})

test('a second start on the same data says by whom it is in use, and harms nothing', async () => {
  const product = await startProduct()
  await expect(open('server')).rejects.toThrow(`in use by another running product (process ${product.pid})`)
  const operator = await open('operator')
  expect((await operator.pool.query('SELECT count(*)::int AS users FROM users')).rows).toEqual([{ users: 1 }])
  await operator.close()

  const gone = ended(product)
  product.kill('SIGTERM')
  expect(await gone).toBe(0)
})

test('an operator command works without the product, and leaves nothing running', async () => {
  const operator = await open('operator')
  await operator.pool.query('SELECT 1')
  await operator.close()
  const again = await open('server')
  await again.close()
})

test('a database that dies is started again under the product', async () => {
  const database = await open('server')
  const { rows } = await database.pool.query<{ pid: number }>(
    "SELECT pg_ctl.pid FROM (SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid) AS pg_ctl",
  )
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
  await vi.waitFor(async () => expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]), {
    timeout: 20_000,
    interval: 100,
  })
  await database.close()
})

test('the database listens on no network address and lets nobody in without its password', async () => {
  const database = await open('server')
  const { rows } = await database.pool.query(
    "SELECT current_setting('listen_addresses') AS addresses, current_setting('fsync') AS fsync, current_setting('data_checksums') AS checksums",
  )
  expect(rows).toEqual([{ addresses: process.platform === 'win32' ? '127.0.0.1' : '', fsync: 'on', checksums: 'on' }])
  const { rows: rules } = await database.pool.query('SELECT DISTINCT auth_method FROM pg_hba_file_rules')
  expect(rules).toEqual([{ auth_method: 'scram-sha-256' }])
  await database.close()
})
