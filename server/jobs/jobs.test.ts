import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, expect, inject, test, vi } from 'vitest'
import { connect } from '../db/connection.ts'
import { migrate } from '../db/migrate.ts'
import { openLog } from '../process/log.ts'
import { type Product, startProduct } from '../testing/product.ts'
import { migrateJobs, startJobs } from './jobs.ts'

const log = openLog('silent')
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 50 })

let product: Product | undefined
afterEach(async () => {
  await product?.close()
  product = undefined
})

test('nodes started together on an empty database migrate it', async () => {
  const name = `nodes_${randomUUID().replaceAll('-', '')}`
  const { superuser, owner, app } = inject('postgres')
  const admin = new pg.Client({ ...superuser, database: 'postgres' })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name} OWNER pool_owner`)
  const nodes = Array.from({ length: 5 }, () =>
    connect({ ...app, database: name }, 2, log, { owner: { ...owner, database: name } }),
  )
  const starts = nodes.map(async (node) => {
    await migrate(node)
    await migrateJobs(node)
    return (await node.pool.query('SELECT FROM graphile_worker.jobs')).rowCount
  })
  expect(await Promise.allSettled(starts)).toEqual(
    nodes.map(() => ({ status: 'fulfilled', value: 0 })),
  )
  for (const node of nodes) await node.close()
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
  await admin.end()
})

test('jobs start again once the database is back', async () => {
  product = await startProduct()
  const { superuser, direct } = product.database
  const { database } = (await superuser.query('SELECT current_database() AS database')).rows[0]
  const jobs = await startJobs(product.context, direct, log)
  expect(jobs.isRunning()).toBe(true)
  await superuser.query(`ALTER DATABASE "${database}" CONNECTION LIMIT 0`)
  await superuser.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename <> current_user',
    [database],
  )
  await eventually(() => expect(jobs.isRunning()).toBe(false))
  await superuser.query(`ALTER DATABASE "${database}" CONNECTION LIMIT -1`)
  await eventually(() => expect(jobs.isRunning()).toBe(true))
  const done = 'SELECT count(*)::int AS done FROM ledger_checks WHERE finding IS NULL'
  const before = (await superuser.query(done)).rows[0].done
  await direct.query("SELECT graphile_worker.add_job('ledgerCheck')")
  await eventually(async () =>
    expect((await superuser.query(done)).rows[0].done).toBeGreaterThan(before),
  )
  await jobs.stop()
})

test('a nightly job makes the coming months', async () => {
  product = await startProduct()
  const { superuser, direct } = product.database
  const jobs = await startJobs(product.context, direct, log)
  const count = async (from: string) =>
    (await superuser.query(`SELECT count(*)::int AS count FROM ${from}`)).rows[0].count
  expect(await count('movement_months')).toBe(2)
  await direct.query("SELECT graphile_worker.add_job('months')")
  await eventually(async () => expect(await count('movement_months')).toBe(5))
  await eventually(async () =>
    expect(await count("graphile_worker._private_known_crontabs WHERE identifier = 'months'")).toBe(
      1,
    ),
  )
  await jobs.stop()
})
