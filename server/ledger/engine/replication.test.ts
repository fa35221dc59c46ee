import { randomUUID } from 'node:crypto'
import { cents } from '@pool/contract/base/money'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { register } from '../../accounts/users/register.ts'
import { readConfig } from '../../base/configuration/config.ts'
import { type Database, openDatabase } from '../../base/db/connection.ts'
import { openLifecycle } from '../../base/process/lifecycle.ts'
import { openLog } from '../../base/process/log.ts'
import { startSession } from '../../base/sessions/sessions.ts'
import { addWallet } from '../../chain/wallets/addWallet.ts'
import { readinessOf } from '../../http/serving/readiness.ts'
import { requestDeposit } from '../../requests/transactions/requestDeposit.ts'
import { newAddress } from '../../testing/addresses.ts'
import { connectTo, dataDirectory } from '../../testing/process.ts'
import { newKeys } from '../../testing/product.ts'
import type { Operation } from '../families/movements.ts'
import { openLedger } from './ledger.ts'
import { postGroup } from './postGroup.ts'

/** A PostgreSQL of its own that waits for a standby, which does not exist. */

const directory = dataDirectory(inject('preparedData'))
const config = readConfig({ DATA_DIR: directory.dataDir })
let database: Database
let superuser: Pool
let by: { readonly id: string; readonly from: string }

beforeAll(async () => {
  database = await openDatabase(config, { log: openLog('silent'), role: 'operator' })
  superuser = connectTo(directory).pool
  const context = { config, db: database.db, keys: newKeys(), ledger: openLedger(database.pool) }
  const id = await register(context, {
    email: 'investor@example.com',
    password: randomUUID(),
    firstName: 'Grace',
    lastName: 'Hopper',
    country: 'US',
    from: 'tests',
  })
  by = { id, from: 'tests' }
  await addWallet(
    context,
    { address: newAddress('Polygon'), networkName: 'Polygon' },
    { name: 'tests', from: 'tests' },
  )
})
afterEach(() => standbyMissing(false))
afterAll(async () => {
  await superuser.end()
  await database.close()
  await directory.remove()
})

/** Changes a setting of the server, and waits until each open connection has it. */
const change = async (setting: string, value: string): Promise<void> => {
  await superuser.query(`ALTER SYSTEM SET ${setting} = '${value}'`)
  await superuser.query('SELECT pg_reload_conf()')
  const { pool } = database
  await vi.waitFor(async () => {
    const clients = await Promise.all(
      Array.from({ length: Math.max(1, pool.totalCount) }, () => pool.connect()),
    )
    const shown = await Promise.all(clients.map((client) => client.query(`SHOW ${setting}`)))
    for (const client of clients) client.release()
    expect(shown.map(({ rows }) => rows)).toEqual(clients.map(() => [{ [setting]: value }]))
  })
}
/** The checkpointer makes commits wait, a moment after the connections have the setting. */
const standbyMissing = async (isMissing: boolean): Promise<void> => {
  await change('synchronous_standby_names', isMissing ? 'missing' : '')
  if (isMissing) await vi.waitFor(async () => expect(await doesCommitWait()).toBe(true))
}

/** Tells whether a commit waits for a standby, and ends its wait. */
const doesCommitWait = async (): Promise<boolean> => {
  let waits: boolean | undefined
  void superuser.query(`SELECT pg_logical_emit_message(true, 'trial', '')`).then(
    () => {
      waits = false
    },
    () => {
      waits = true
    },
  )
  while (waits === undefined) await signalWaiting('pg_cancel_backend')
  return waits
}

/** Done to a backend that waits. `abs` does nothing to it. */
type Act = 'pg_cancel_backend' | 'pg_terminate_backend' | 'abs'

/**
 * Does this to the backends whose commit waits for the standby. Returns their number. Those that
 * ask whether writes return are left out.
 */
const signalWaiting = async (act: Act): Promise<number> => {
  const { rowCount } = await superuser.query(
    `SELECT ${act}(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query NOT LIKE '%readiness%'`,
  )
  return rowCount ?? 0
}

/** Does this to the backend that waits, once there is one. */
const toWaiting = (act: Act) =>
  vi.waitFor(async () => expect(await signalWaiting(act)).toBe(1), { timeout: 30_000 })

const ask = (key: string, ledger = openLedger(database.pool)) =>
  requestDeposit(ledger, {
    by,
    amount: cents(50_00n),
    idempotency: { actorId: by.id, key, requestHash: key },
  })

test.each(['pg_cancel_backend', 'pg_terminate_backend'] as const)(
  'a wait for a standby ended by %s acknowledges nothing',
  async (ending) => {
    const key = randomUUID()
    await standbyMissing(true)
    const asked = ask(key).catch((error: unknown) => error)
    await toWaiting(ending)
    expect(await asked).toMatchObject({ code: 'outcomeUnknown' })

    // This machine has the row, but its repeat waits for the standby as well.
    let answered = false
    const repeated = ask(key).finally(() => {
      answered = true
    })
    await toWaiting('abs')
    expect(answered).toBe(false)
    await standbyMissing(false)
    const { transactionId } = await repeated
    expect(await ask(key)).toMatchObject({ transactionId })
  },
)

test('a wait for a standby has an end', async () => {
  const key = randomUUID()
  await standbyMissing(true)
  const post = (operations: readonly Operation[]) => postGroup(database.pool, operations, 200)
  const ledger = openLedger(database.pool, { post })
  await expect(ask(key, ledger)).rejects.toMatchObject({
    code: 'outcomeUnknown',
    cause: { message: 'no answer to a commit within 200 ms' },
  })
  await ledger.drain()
  await standbyMissing(false)
  expect(await ask(key)).toHaveProperty('transactionId')
})

test('a session that no standby has is not started', async () => {
  await standbyMissing(true)
  const started = startSession({ db: database.db, keys: newKeys() }, by.id).catch(
    (error: unknown) => error,
  )
  await toWaiting('pg_cancel_backend')
  expect(await started).toMatchObject({ code: '08007' })
})

const isReady = async (): Promise<string> => {
  const lifecycle = openLifecycle()
  lifecycle.serve({ isRunning: () => true })
  return (await readinessOf({ db: database.db, lifecycle })()) ?? 'ready'
}

test('a process is not ready while standbys are missing', async () => {
  expect(await isReady()).toBe('ready')
  await standbyMissing(true)
  expect(await isReady()).toBe('database')
  await standbyMissing(false)
  expect(await isReady()).toBe('ready')
})

test('a server without writes refuses whole groups', async () => {
  const groups: number[] = []
  const observer = { group: (size: number) => groups.push(size), outcome: () => undefined }
  const ledger = openLedger(database.pool, { observer })
  const request = () => requestDeposit(ledger, { by, amount: cents(50_00n) })
  await change('default_transaction_read_only', 'on')
  const results = await Promise.allSettled([request(), request()])
  expect(results).toMatchObject(
    results.map(() => ({ status: 'rejected', reason: { code: 'unavailable' } })),
  )
  expect(groups).toEqual([2])
  expect(await isReady()).toBe('database')
  await change('default_transaction_read_only', 'off')
  expect(await isReady()).toBe('ready')
})

test('connections to a former primary are left', async () => {
  const clients = await Promise.all([database.pool.connect(), database.pool.connect()])
  for (const client of clients) await client.query('SET default_transaction_read_only = on')
  for (const client of clients) client.release()
  expect(await ask(randomUUID())).toHaveProperty('transactionId')
  const { rows } = await database.pool.query('SHOW default_transaction_read_only')
  expect(rows).toEqual([{ default_transaction_read_only: 'off' }])
})
