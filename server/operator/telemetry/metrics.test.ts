import { listUsers } from '@pool/contract/accounts/users'
import { invest } from '@pool/contract/money/investments'
import { withdraw } from '@pool/contract/requests/requests'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readConfig } from '../../base/configuration/config.ts'
import { openLog } from '../../base/process/log.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { countFigures, readPoolBook } from '../../lending/pool/figures.ts'
import { chainsFile } from '../../testing/playNode.ts'
import {
  investorWith,
  type Person,
  type Product,
  startProduct,
  wallets,
} from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { buildApp } from '../app.ts'
import { startJobs } from '../jobs/jobs.ts'
import type { Running } from '../jobs/runner.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { serveMetrics } from './serveMetrics.ts'

const log = openLog('silent')
const Ethereum = { kind: 'evm', url: 'http://127.0.0.1:1', chainId: 1 }
let product: Product
let investor: Person
let metrics: Metrics
let served: Awaited<ReturnType<typeof serveMetrics>>
let app: Product['app']
let jobs: Running

beforeAll(async () => {
  product = await startProduct()
  investor = await investorWith(product, 1_000)
  metrics = openMetrics()
  const context = {
    ...product.context,
    ledger: openLedger(product.database.pool, { observer: metrics.ledger }),
  }
  const config = readConfig({ CHAINS: chainsFile({ Ethereum }) })
  metrics.watch({ ...context, config }, product.database)
  app = await buildApp(context, log, { observers: [metrics.observe] })
  jobs = await startJobs(context, product.database, log)
  served = await serveMetrics(metrics, { host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await served.close()
  await jobs.stop()
  await app.close()
  await product.close()
})

const read = async () => {
  // Opens a new connection, since a kept-alive one may close on reuse.
  const response = await fetch(`http://127.0.0.1:${served.port}/metrics`, {
    headers: { connection: 'close' },
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^text\/plain; version=0\.0\.4/),
  ])
  return response.text()
}
/** Value of a series in the text. Undefined when absent. */
const valueIn = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}
const send = (endpoint: { path: string }, payload: object) =>
  app.inject({
    method: 'POST',
    url: endpoint.path,
    headers: { authorization: `Bearer ${investor.token}` },
    payload,
  })

test('requests and money operations are counted', async () => {
  for (const amount of [10, 20, 5_000]) await send(withdraw, { userId: investor.id, amount })
  await send(invest, { userId: investor.id, amount: 10, durationDays: 12 })
  await app.inject({
    url: `/api/v1/public/investments/${investor.id}`,
    headers: { authorization: `Bearer ${investor.token}` },
  })
  await app.inject({ url: `/api/v1/nothing/${investor.id}` })
  const text = await read()
  const requests = (route: string, method: string, status: string) =>
    valueIn(
      text,
      `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`,
    )
  expect(requests(withdraw.path, 'POST', '2xx')).toBe(2)
  expect(requests(withdraw.path, 'POST', '4xx')).toBe(1)
  expect(requests('/api/v1/public/investments/:userId', 'GET', '2xx')).toBe(1)
  expect(requests('none', 'GET', '4xx')).toBe(1)
  const operations = (kind: string, outcome: string) =>
    valueIn(text, `money_operations_total{kind="${kind}",outcome="${outcome}"}`)
  expect(operations('withdrawal_held', 'posted')).toBe(2)
  expect(operations('withdrawal_held', 'insufficientFunds')).toBe(1)
  expect(operations('investment_opened', 'posted')).toBe(1)
  expect(valueIn(text, 'ledger_group_size_sum')).toBe(4)
  for (const secret of [investor.id, investor.email, investor.token])
    expect(text).not.toContain(secret)
})

test('refused calls of signed-in users are counted', async () => {
  const refused = async () =>
    valueIn(await read(), `http_forbidden_total{method="GET",route="${listUsers.path}"}`) ?? 0
  const before = await refused()
  await app.inject({ url: listUsers.path, headers: { authorization: `Bearer ${investor.token}` } })
  await app.inject({ url: listUsers.path })
  expect((await refused()) - before).toBe(1)
})

test('a thousand paths make no new series', async () => {
  const series = async () =>
    (await read())
      .split('\n')
      .filter((line) => line.startsWith('http_request_duration_seconds_count')).length
  await app.inject({ url: '/api/v1/nothing' })
  await app.inject({ url: '/some/page' })
  const before = await series()
  for (let n = 0; n < 500; n += 1) {
    await app.inject({ url: `/api/v1/nothing/${n}` })
    await app.inject({ url: `/some/page/${n}` })
  }
  expect(await series()).toBe(before)
})

test('metrics report the ledger check, backlogs, pauses and wallets', async () => {
  await vi.waitFor(async () => expect(valueIn(await read(), 'ledger_whole')).toBe(1), {
    timeout: 20_000,
  })
  const { pool } = product.database
  await wallets(product, 3)
  await pool.query(
    "UPDATE pauses SET paused_at = now(), paused_by = 'tests', reason = 'tests' WHERE name = 'deposits'",
  )
  await pool.query(
    "SELECT graphile_worker.add_job('nothing', run_at := now() - interval '10 minutes')",
  )
  const text = await read()
  expect(valueIn(text, 'database_up')).toBe(1)
  expect(valueIn(text, 'ledger_check_age_seconds')).toBeLessThan(3_600)
  // No job seals here, so the new entries wait.
  expect(valueIn(text, 'audit_seal_lag_seconds')).toBeGreaterThan(0)
  expect(valueIn(text, 'job_lag_seconds')).toBeGreaterThanOrEqual(600)
  expect(valueIn(text, 'maturity_lag_seconds')).toBe(0)
  expect(valueIn(text, 'paused_functions')).toBe(1)
  // The investor has the fourth wallet.
  expect([valueIn(text, 'deposit_wallets'), valueIn(text, 'deposit_wallets_available')]).toEqual([
    4, 3,
  ])
  expect(valueIn(text, 'database_connections')).toBe(pool.totalCount)
  for (const name of [
    'change_streams_open',
    'ledger_waiting_operations',
    'nodejs_eventloop_lag_p99_seconds',
    'process_cpu_seconds_total',
  ])
    expect([name, valueIn(text, name)]).toEqual([name, expect.any(Number)])
})

test('metrics report who pays interest, and the runway', async () => {
  await countFigures(product.context)
  const shown = await readPoolBook(product.context.db)
  expect(shown?.interest).toMatchObject({ promised: 0.7, covered90: 0 })
  const text = await read()
  expect(valueIn(text, 'interest_covered_ratio')).toBe(0)
  expect(valueIn(text, 'reserve_runway_days')).toBe(shown?.interest.runwayDays)
  await product.database.superuser.query(`
    UPDATE pool_figures SET figures = jsonb_set(figures, '{interest}',
      figures->'interest' || '{"covered90": 2500, "runwayDays": null}')`)
  const later = await read()
  expect(valueIn(later, 'interest_covered_ratio')).toBe(0.25)
  expect(valueIn(later, 'reserve_runway_days')).toBeUndefined()
})

test('metrics report the age of published liabilities', async () => {
  const ageNow = async () => valueIn(await read(), 'liabilities_age_seconds')
  await vi.waitFor(async () => expect(await ageNow()).toBeLessThan(86_400), { timeout: 20_000 })
  await tamper(
    product.database,
    'UPDATE liability_trees SET day = day - 2, file = replace(file, day::text, (day - 2)::text)',
  )
  expect(await ageNow()).toBeGreaterThanOrEqual(2 * 86_400)
  await tamper(product.database, 'DELETE FROM liability_trees')
  expect(await ageNow()).toBeUndefined()
})

test('metrics report the state of each node', async () => {
  await product.database.superuser.query(
    `INSERT INTO chains (network_name, state, since, checked_at)
     VALUES ('Ethereum', 'AWAY', now() - interval '20 minutes', now() - interval '30 seconds'),
       ('Solana', 'FINE', now(), now())`,
  )
  await product.database.superuser.query(`
    UPDATE chains SET followed_since = now() - interval '1 hour';
    INSERT INTO unseen_arrivals (id, network_name, address, asset, units, decimals, above, height)
    VALUES (gen_random_uuid(), 'Ethereum', '0xab', 'ETH', 1, 18, 1, 2)`)
  await product.database.superuser.query(`
    INSERT INTO reconciliations (id, at, break_cents, is_unpriced, is_whole, limit_cents, is_pausing, custody_cents, typed_cents, coins_cents)
    VALUES (gen_random_uuid(), now() - interval '1 hour', 12, false, false, 0, false, 0, 0, 0)`)
  const text = await read()
  expect(valueIn(text, 'coins_break_cents')).toBe(12)
  expect(valueIn(text, 'coins_compared_age_seconds')).toBeGreaterThanOrEqual(3_600)
  expect(valueIn(text, 'coins_networks_not_compared')).toBe(0)
  expect(valueIn(text, 'unseen_arrivals')).toBe(1)
  expect(valueIn(text, 'balances_age_seconds{network="Ethereum"}')).toBeGreaterThanOrEqual(3_600)
  const seconds = valueIn(text, 'chain_state_seconds{network="Ethereum",state="AWAY"}')
  expect(seconds).toBeGreaterThanOrEqual(1_200)
  expect(valueIn(text, 'chain_checked_age_seconds{network="Ethereum"}')).toBeGreaterThanOrEqual(30)
  // It has no node.
  expect(text).not.toContain('network="Solana"')
})

test('a lost database is reported and its metrics are omitted', async () => {
  await product.database.superuser.query('ALTER TABLE ledger_checks RENAME TO gone')
  const text = await read()
  expect(valueIn(text, 'database_up')).toBe(0)
  expect(valueIn(text, 'ledger_whole')).toBeUndefined()
  await product.database.superuser.query('ALTER TABLE gone RENAME TO ledger_checks')
  expect(valueIn(await read(), 'database_up')).toBe(1)
})

test('the metrics port serves nothing else', async () => {
  expect((await fetch(`http://127.0.0.1:${served.port}/`)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${served.port}/metrics`, { method: 'POST' })).status).toBe(
    404,
  )
  expect((await app.inject({ url: '/metrics' })).body).not.toContain('process_cpu')
})
