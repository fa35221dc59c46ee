import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readConfig } from '../../base/configuration/config.ts'
import { connect, type Database } from '../../base/db/connection.ts'
import { openLog } from '../../base/process/log.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { SETTINGS } from '../../testing/client.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { LIVE } from '../../testing/live.ts'
import { dataDirectory } from '../../testing/process.ts'
import { type Product, startProduct } from '../../testing/product.ts'
import { openAgenda } from './agenda.ts'
import { withClock } from './clock.ts'
import { fillSandbox, requireEmptySandbox } from './fill.ts'
import { openRandom } from './random.ts'

const DAYS = 45
const INVESTORS = 60

let product: Product
/** The demonstration's connection, as the product's role. */
let demo: Database
let clocksBefore: unknown
const begun = Date.now()

beforeAll(async () => {
  product = await startProduct()
  const [{ name }] = (await product.database.pool.query('SELECT current_database() AS name')).rows
  demo = connect({ ...inject('postgres').app, database: name }, 1, openLog('silent'))
  clocksBefore = await clocks()
  const { config, plans, keys } = product.context
  const means = { config, plans, keys, db: demo.db, ledger: openLedger(demo.pool) }
  await fillSandbox({ pool: demo.pool, owner: product.database.owner }, means, {
    days: DAYS,
    investors: INVESTORS,
    password: 'a password for everybody',
  })
})
afterAll(async () => {
  await demo.close()
  await product.close()
})

const rowsOf = async (query: string) => (await product.database.superuser.query(query)).rows

/** The columns' defaults and the triggers, as the database writes them. */
const clocks = () =>
  rowsOf(`SELECT pg_get_expr(adbin, adrelid) AS text FROM pg_attrdef UNION ALL
    SELECT pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger ORDER BY 1`)

test('a demonstration leaves whole books and a whole trail', async () => {
  await expectWhole(product)
})

test('a demonstration has requests in every state', async () => {
  const found = await rowsOf(
    "SELECT DISTINCT type || ' ' || status AS state FROM transactions WHERE type IN ('deposit', 'withdrawal')",
  )
  expect(found.map(({ state }) => state)).toEqual(
    expect.arrayContaining([
      'deposit APPROVED',
      'deposit PENDING',
      'withdrawal COMPLETED',
      'withdrawal REJECTED',
    ]),
  )
  const [{ users, networks, completed, active, pauses }] = await rowsOf(`SELECT
    (SELECT count(*) FROM users)::int AS users,
    (SELECT count(DISTINCT network_name) FROM wallets WHERE owner_id IS NOT NULL)::int AS networks,
    (SELECT count(*) FROM investments WHERE status = 'COMPLETED')::int AS completed,
    (SELECT count(*) FROM investments WHERE status = 'ACTIVE')::int AS active,
    (SELECT count(*) FROM audit_entries WHERE action = 'switch.paused')::int AS pauses`)
  expect(users).toBe(INVESTORS + 4)
  expect(networks).toBe(5)
  expect(completed).toBeGreaterThan(INVESTORS / 2)
  expect(active).toBeGreaterThan(5)
  expect(pauses).toBe(1)
})

test('a demonstration has loans in every state', async () => {
  const [found] = await rowsOf(`SELECT
    (SELECT count(*) FROM loan_disbursements)::int AS disbursed,
    (SELECT count(*) FROM loans WHERE status = 'REPAID')::int AS repaid,
    (SELECT count(*) FROM loans WHERE status IN ('APPLIED', 'APPROVED'))::int AS waiting,
    (SELECT count(*) FROM loan_repayments WHERE NOT reversed)::int AS repayments,
    (SELECT count(*) FROM loans WHERE status = 'DEFAULTED')::int AS defaulted,
    (SELECT count(*) FROM loan_collateral)::int AS secured,
    (SELECT count(*) FROM loan_updates)::int AS updates,
    (SELECT count(*) FROM loans WHERE status = 'WRITTEN_OFF' AND recovered > 0)::int AS recovering,
    (SELECT count(DISTINCT loan_id) FROM loan_instalments
      WHERE due_on < now()::date - 30 AND principal_paid + interest_paid < principal + interest)::int AS late`)
  expect(found.disbursed).toBe(60)
  expect(found.repaid).toBeGreaterThan(3)
  expect(found.waiting).toBe(4)
  expect(found.repayments).toBeGreaterThan(200)
  expect(found.late).toBeGreaterThan(3)
  expect(found.defaulted).toBeGreaterThan(0)
  expect(found.secured).toBeGreaterThan(5)
  expect(found.updates).toBeGreaterThan(2)
  expect(found.recovering).toBe(1)
})

test('its moments are those of its own clock', async () => {
  const [{ first, last, late }] =
    await rowsOf(`SELECT min(created_at) AS first, max(created_at) AS last,
    (SELECT max(extract(epoch FROM updated_at - matures_at)) FROM investments WHERE status = 'COMPLETED') AS late
    FROM (SELECT created_at FROM users UNION ALL SELECT created_at FROM transactions UNION ALL SELECT created_at FROM audit_entries) AS moments`)
  const day = 86_400_000
  expect(Math.abs(first.getTime() - (begun - DAYS * day))).toBeLessThan(day / 24)
  expect(last.getTime()).toBeLessThanOrEqual(Date.now())
  expect(last.getTime()).toBeGreaterThan(begun - 2 * day)
  expect(Number(late)).toBeLessThan(61)
})

test('the clock leaves no trace', async () => {
  expect(await clocks()).toEqual(clocksBefore)
  expect(await rowsOf("SELECT to_regnamespace('demo') AS schema")).toEqual([{ schema: null }])
})

test('a failure gives the clock back', async () => {
  const fails = withClock(product.database.owner, () => Promise.reject(new Error('no disk')))
  await expect(fails).rejects.toThrow('no disk')
  expect(await clocks()).toEqual(clocksBefore)
})

test('other sessions keep the time while it runs', async () => {
  await withClock(product.database.owner, async () => {
    const { rows } = await product.database.pool.query(
      'SELECT demo.now() = now() AS same, now() > clock_timestamp() - interval $$1 minute$$ AS present',
    )
    expect(rows).toEqual([{ same: true, present: true }])
  })
})

test('data that is not empty is refused', async () => {
  const [{ pid }] = (await demo.pool.query('SELECT pg_backend_pid() AS pid')).rows
  const others = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = 'pool_app' AND pid <> $1`
  await product.context.hub.stop()
  const look = async () => {
    // The product's pool may connect again to see if the database is back.
    await product.database.superuser.query(others, [pid])
    return requireEmptySandbox(demo, product.context).catch(String)
  }
  await expect.poll(look).toMatch(/is not empty/)
})

test('live mode is refused', async () => {
  const config = readConfig(LIVE)
  await expect(requireEmptySandbox(demo, { config })).rejects.toThrow(/this pool is live/)
})

test('a running product is refused', async () => {
  const directory = dataDirectory(inject('preparedData'))
  try {
    await directory.start(SETTINGS)
    expect(await directory.command('demo')).toMatchObject({
      code: 1,
      text: expect.stringContaining('Stop the product first'),
    })
  } finally {
    await directory.remove()
  }
})

test('acts happen in the order of their moments', async () => {
  const agenda = openAgenda()
  const done: number[] = []
  const note = (moment: number) => agenda.at(moment, async () => void done.push(moment))
  for (const moment of [5, 1, 9, 3]) note(moment)
  agenda.at(2, async () => note(4))
  await agenda.run(6, async () => undefined)
  expect(done).toEqual([1, 3, 4, 5])
})

test('chance is the same at every run', () => {
  const draw = () => {
    const random = openRandom(1)
    return Array.from({ length: 5 }, () => random.between(0, 10))
  }
  expect(draw()).toEqual(draw())
  expect(new Set(draw()).size).toBe(5)
})
