import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { health, readiness } from '@pool/contract/base/health'
import { notReady } from '@pool/contract/base/messages'
import { invest } from '@pool/contract/money/investments'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { balanceOf, newInvestor, SETTINGS } from '../../testing/client.ts'
import { dataDirectory } from '../../testing/process.ts'
import { ask } from '../../testing/request.ts'
import { connect } from '../db/connection.ts'
import { addressOf } from '../postgres/cluster.ts'
import { preparePostgresFiles } from '../postgres/files.ts'
import { openLog } from './log.ts'

let directory: ReturnType<typeof dataDirectory>
beforeEach(() => {
  directory = dataDirectory(inject('preparedData'))
})
afterEach(() => directory.remove())

const POLLING = { timeout: 60_000, interval: 100 }

const database = (): number =>
  Number.parseInt(readFileSync(join(directory.dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)

test('a hanging stop ends at its limit with an error', async () => {
  const product = await directory.start({ ...SETTINGS, STOP_SECONDS: '2' })
  const processId = database()
  process.kill(processId, 'SIGSTOP')
  try {
    expect(await product.end('SIGTERM')).toBe(1)
    // A job that was querying it may be the first step that hangs.
    expect(product.output()).toMatch(
      /("hangs":"the database"|"notStopped":\["the database").*"msg":"not stopped within 2 seconds/,
    )
  } finally {
    process.kill(processId, 'SIGCONT')
  }
})

test('a product that drains serves on and is not ready', async () => {
  const product = await directory.start({ ...SETTINGS, DRAIN_SECONDS: '10' })
  const investor = await newInvestor(product, 100)
  const ended = product.end('SIGTERM')
  await vi.waitFor(
    async () =>
      expect(await ask(product, readiness)).toMatchObject({
        status: 503,
        narration: notReady.stopping,
      }),
    POLLING,
  )
  expect((await ask(product, health)).status).toBe(200)
  expect(await balanceOf(product, investor)).toBe(100)
  expect(await ended).toBe(0)
})

/** Each minute PostgreSQL ends by itself where its lock file is gone. */
const endAtOnce = (processId: number): void => {
  try {
    process.kill(processId, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

test.each(['its database and all its files', 'its files'])(
  'a product that has lost %s ends on SIGTERM',
  async (lost) => {
    const product = await directory.start({ ...SETTINGS, STOP_SECONDS: '5' })
    const processId = database()
    rmSync(directory.dataDir, { recursive: true })
    if (lost.includes('database')) {
      endAtOnce(processId)
      await vi.waitFor(async () => expect((await ask(product, health)).status).toBe(503), POLLING)
    }
    await product.end('SIGTERM')
    expect(product.output()).toMatch(/"signal":"SIGTERM","msg":"stopping/)
  },
)

test('the product and its jobs survive a killed database', async () => {
  const product = await directory.start(SETTINGS)
  const investor = await newInvestor(product, 100)
  const { token, userId } = investor
  await ask(product, invest, { token, payload: { userId, amount: 100, durationDays: 1 } })
  const { pool, close } = connect(
    { ...addressOf(preparePostgresFiles(directory.dataDir, () => undefined)), database: 'pool' },
    2,
    openLog('silent'),
  )
  const holder = await pool.connect()
  await holder.query('BEGIN; LOCK TABLE transactions IN ACCESS EXCLUSIVE MODE')
  const waiting =
    "SELECT count(*)::int AS jobs FROM pg_stat_activity WHERE query LIKE '%pay_matured%' AND wait_event_type = 'Lock'"
  await vi.waitFor(
    async () => expect((await pool.query(waiting)).rows).toEqual([{ jobs: 1 }]),
    POLLING,
  )
  process.kill(database(), 'SIGKILL')
  await vi.waitFor(async () => expect(await balanceOf(product, investor)).toBe(104), POLLING)
  expect(product.process.exitCode).toBe(null)
  holder.release(true)
  await close()
  expect(await product.end('SIGTERM')).toBe(0)
})
