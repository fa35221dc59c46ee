import { get } from 'node:http'
import { listUsers } from '@pool/contract/accounts/users'
import { health } from '@pool/contract/base/health'
import { invest } from '@pool/contract/money/investments'
import { withdraw } from '@pool/contract/requests/requests'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { balanceOf, newInvestor, SETTINGS } from '../../testing/client.ts'
import { connectTo, dataDirectory, type RunningProduct } from '../../testing/process.ts'
import { ask } from '../../testing/request.ts'

const WORKERS = { ...SETTINGS, WORKERS: '2', DAY_SECONDS: '86400' }

let directory: ReturnType<typeof dataDirectory>
beforeEach(() => {
  directory = dataDirectory(inject('preparedData'))
})
afterEach(() => directory.remove())

/** Ids of the processes that have answered, from the log. */
const answering = ({ output }: RunningProduct): Set<number> =>
  new Set(
    output()
      .split('\n')
      .filter((line) => line.includes('"msg":"answered"'))
      .map((line) => Number(/"pid":(\d+)/.exec(line)?.[1])),
  )

/** Processes that have told anything. */
const processesIn = ({ output }: RunningProduct): Set<string> =>
  new Set([...output().matchAll(/"pid":(\d+)/g)].map(([, id = '']) => id))

const TIMEOUT = { timeout: 240_000 }
const POLLING = { timeout: 180_000, interval: 200 }

test('two processes share a port, revoked roles and metrics', TIMEOUT, async () => {
  const product = await directory.start({ ...WORKERS, METRICS_PORT: '0' })
  const { email, token } = await newInvestor(product, 100)
  expect(await directory.command('user', 'grant', email, 'SUPER_ADMIN')).toMatchObject({
    code: 0,
  })
  const look = async () =>
    new Set(
      (await Promise.all(Array.from({ length: 16 }, () => ask(product, listUsers, { token })))).map(
        ({ status }) => status,
      ),
    )
  await vi.waitFor(async () => {
    expect(await look()).toEqual(new Set([200]))
    expect(answering(product).size).toBe(2)
  }, POLLING)
  expect(await directory.command('user', 'revoke', email, 'SUPER_ADMIN')).toMatchObject({
    code: 0,
  })
  expect(await look()).toEqual(new Set([401]))

  const [, port] = /"port":(\d+),"msg":"metrics are served"/.exec(product.output()) ?? []
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const counted = [...text.matchAll(/^http_request_duration_seconds_count\{.*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )
  await expect.poll(() => product.output().match(/"msg":"answered"/g)?.length).toBe(counted)
  expect(text).toContain('\ndatabase_up 1\n')
  expect(await product.end('SIGTERM')).toBe(0)
})

test('a killed process is replaced', TIMEOUT, async () => {
  const product = await directory.start(WORKERS)
  // A connection handed to a dying process may never be answered.
  const knock = () =>
    new Promise((resolve) => {
      const asked = get(product.url + health.path, {
        agent: false,
        signal: AbortSignal.timeout(2_000),
      })
      asked
        .once('response', (answer) => answer.resume().once('close', resolve))
        .once('error', resolve)
    })
  await knock()
  const victim = await vi.waitUntil(() => [...answering(product)][0], POLLING)
  process.kill(victim, 'SIGKILL')
  await vi.waitFor(async () => {
    // Uses new connections, since a kept-alive one stays with its process.
    await Promise.all(Array.from({ length: 8 }, knock))
    expect([...answering(product)].filter((id) => id !== victim).length).toBe(2)
  }, POLLING)
  expect(product.output()).toMatch(/a server process exited; starting another/)
  const code = await product.end('SIGTERM')
  expect(code, product.output()).toBe(0)
})

test('a stop waits for jobs that a replaced process starts', TIMEOUT, async () => {
  const product = await directory.start({ ...WORKERS, LOG_LEVEL: 'debug' })
  await ask(product, health)
  const victim = await vi.waitUntil(() => [...answering(product)][0], POLLING)
  const { pool, close } = connectTo(directory)
  const holder = await pool.connect()
  await holder.query('BEGIN; LOCK TABLE graphile_worker._private_jobs IN ACCESS EXCLUSIVE MODE')
  const known = processesIn(product)
  process.kill(victim, 'SIGKILL')
  await vi.waitUntil(() => [...processesIn(product)].some((id) => !known.has(id)), POLLING)
  // The jobs of the other process may have opened connections before.
  const { rows } = await pool.query('SELECT now() AS before')
  const starting =
    "SELECT count(*) > 0 AS starting FROM pg_stat_activity WHERE backend_start > $1 AND wait_event_type = 'Lock'"
  await vi.waitFor(
    async () =>
      expect((await pool.query(starting, [rows[0].before])).rows).toEqual([{ starting: true }]),
    POLLING,
  )
  const ended = product.end('SIGTERM')
  await vi.waitFor(
    () => expect(product.output().match(/"step":"the jobs"/g)).toHaveLength(2),
    POLLING,
  )
  holder.release(true)
  await close()
  expect(await ended, product.output()).toBe(0)
})

test('SIGTERM stops all processes after their open requests', TIMEOUT, async () => {
  const product = await directory.start(WORKERS)
  const investors = [await newInvestor(product, 1_000), await newInvestor(product, 1_000)]
  // Opens the connections first, so that the processes accept every request before the signal.
  await Promise.all(Array.from({ length: 60 }, () => ask(product, health)))
  const requests = investors.flatMap(({ token, userId }) =>
    Array.from({ length: 30 }, (_, each) =>
      each % 2 === 0
        ? ask(product, withdraw, { token, payload: { userId, amount: 10 } })
        : ask(product, invest, { token, payload: { userId, amount: 10, durationDays: 1 } }),
    ),
  )
  await Promise.race(requests)
  const ended = product.end('SIGTERM')
  expect(new Set((await Promise.all(requests)).map(({ status }) => status))).toEqual(new Set([200]))
  expect(await ended).toBe(0)

  const again = await directory.start(WORKERS)
  for (const investor of investors) expect(await balanceOf(again, investor)).toBe(700)
  expect(await again.end('SIGTERM')).toBe(0)
  expect((await directory.command('ledgerCheck')).text).toMatch(/The ledger is whole/)
})

test('a start that cannot listen fails with the reason', TIMEOUT, async () => {
  const product = await directory.start(SETTINGS)
  const other = dataDirectory(inject('preparedData'))
  try {
    await expect(other.start({ ...WORKERS, PORT: new URL(product.url).port })).rejects.toThrow(
      /EADDRINUSE/,
    )
  } finally {
    await other.remove()
  }
})
