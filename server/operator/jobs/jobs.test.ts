import { randomUUID } from 'node:crypto'
import { cents } from '@pool/contract/base/money'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { queueMails } from '../../accounts/mail/outbox.ts'
import { connect } from '../../base/db/connection.ts'
import { migrate } from '../../base/db/migrate.ts'
import type { Job } from '../../base/process/job.ts'
import { openLog } from '../../base/process/log.ts'
import { listenForBlocks } from '../../chain/nodes/push.ts'
import type { Context, WithDb } from '../../http/context.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { hasAnvil, startAnvil } from '../../testing/anvil.ts'
import { startFakeNode } from '../../testing/fakeNode.ts'
import { chainsFile } from '../../testing/playNode.ts'
import { balanceOf, investorWith, type Product, startProduct } from '../../testing/product.ts'
import { type Smtp, startSmtp } from '../../testing/smtp.ts'
import { startJobs } from './jobs.ts'
import { migrateJobs } from './migrateJobs.ts'
import { roomJobs } from './roomJobs.ts'
import type { Running } from './runner.ts'

const log = openLog('silent')
const REGTEST = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 50 })

let product: Product | undefined
let jobs: Running | undefined
afterEach(async () => {
  await jobs?.stop()
  jobs = undefined
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
  jobs = await startJobs(product.context, product.database, log)
  expect(jobs.isRunning()).toBe(true)
  await superuser.query(`ALTER DATABASE "${database}" CONNECTION LIMIT 0`)
  await superuser.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename <> current_user',
    [database],
  )
  await eventually(() => expect(jobs?.isRunning()).toBe(false))
  await superuser.query(`ALTER DATABASE "${database}" CONNECTION LIMIT -1`)
  await eventually(() => expect(jobs?.isRunning()).toBe(true))
  const done = 'SELECT count(*)::int AS done FROM ledger_checks WHERE finding IS NULL'
  const before = (await superuser.query(done)).rows[0].done
  await direct.query("SELECT graphile_worker.add_job('ledgerCheck')")
  await eventually(async () =>
    expect((await superuser.query(done)).rows[0].done).toBeGreaterThan(before),
  )
})

test('a nightly job makes the coming months', async () => {
  product = await startProduct()
  const { superuser, direct } = product.database
  jobs = await startJobs(product.context, product.database, log)
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
})

test('work without settings is not scheduled', async () => {
  product = await startProduct()
  jobs = await startJobs(product.context, product.database, log)
  const { rows } = await product.database.superuser.query(
    `SELECT identifier FROM graphile_worker._private_known_crontabs WHERE identifier LIKE 'chain-%'
     UNION ALL SELECT task_identifier FROM graphile_worker.jobs WHERE task_identifier LIKE 'chain-%'`,
  )
  expect(rows).toEqual([])
})

test('every job has a name of its own', () => {
  const names = roomJobs.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

/** Outside jobs that wait until the test releases them, each holding what `hold` takes. */
const stallingJobs = (
  count: number,
  hold: (db: WithDb['db'], wait: () => Promise<void>) => unknown,
) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const stalled = new Set<string>()
  const stalling = Array.from({ length: count }, (_, n): Job<Context> => {
    const name = `chain-follower${n}` as const
    const wait = () => {
      stalled.add(name)
      return released
    }
    return {
      name,
      at: '0 0 * * *',
      atStart: true,
      outside: true,
      run: async ({ db }) => void (await hold(db, wait)),
    }
  })
  const allStall = () => eventually(() => expect(stalled.size).toBe(count))
  return { stalling, allStall, release }
}

/** Invests for an investment day of one second, and waits for the job that pays it. */
const seeMaturityPaid = async (of: Product): Promise<void> => {
  const investor = await investorWith(of, 100)
  const by = { id: investor.id, from: 'tests' }
  await openInvestment(of.context, { by, amount: cents(100_00n), durationDays: 1 })
  await eventually(async () => expect(await balanceOf(of, investor)).toBe(104))
}

const mailTo = (recipient: string, { context }: Product) =>
  queueMails(context.db, context.config, {
    template: 'passwordChanged',
    parameters: { firstName: 'Ana', at: '2026-01-31T12:00:00.000Z', restsUntil: null },
    userId: null,
    recipient,
    language: 'en',
  })

test('work of a killed process is freed, of others kept', async () => {
  product = await startProduct()
  const { superuser, direct } = product.database
  const { stalling, allStall, release } = stallingJobs(1, (_db, wait) => wait())
  jobs = await startJobs(product.context, product.database, log, [...roomJobs, ...stalling])
  try {
    await allStall()
    await superuser.query(
      "INSERT INTO graphile_worker._private_job_queues (queue_name, locked_at, locked_by) VALUES ('killed', now() - interval '1 minute', 'pool-killed')",
    )
    await direct.query("SELECT graphile_worker.add_job('months', queue_name => 'killed')")
    const months = 'SELECT count(*)::int AS count FROM movement_months'
    await eventually(async () => expect((await superuser.query(months)).rows[0].count).toBe(5))
    const taken =
      "SELECT locked_by FROM graphile_worker.jobs WHERE task_identifier = 'chain-follower0'"
    expect((await superuser.query(taken)).rows).toMatchObject([{ locked_by: expect.any(String) }])
  } finally {
    release()
  }
})

test.skipIf(!hasAnvil)('a job runs once a node pushes a block', async () => {
  const anvil = await startAnvil()
  try {
    product = await startProduct()
    let runs = 0
    const pushed: Job<Context> = {
      name: 'chain-pushed',
      at: '0 0 * * *',
      pushed: (_config, ask, ended) => listenForBlocks(anvil.url.replace('http', 'ws'), ask, ended),
      run: async () => {
        runs += 1
      },
    }
    jobs = await startJobs(product.context, product.database, log, [pushed])
    await eventually(async () => {
      await anvil.ask('anvil_mine', '0x1')
      expect(runs).toBeGreaterThan(0)
    })
  } finally {
    await jobs?.stop()
    jobs = undefined
    await anvil.stop()
  }
})

describe('slow outside work', () => {
  let smtp: Smtp
  let release = () => {}
  beforeEach(async () => {
    smtp = await startSmtp()
    product = await startProduct({
      SMTP_URL: smtp.url,
      MAIL_FROM: 'pool@example.com',
      DAY_SECONDS: '1',
    })
  })
  // Jobs end before the hook above stops them.
  afterEach(async () => {
    release()
    await smtp.close()
  })
  const startStalling = async (of: Product, stalled: ReturnType<typeof stallingJobs>) => {
    release = stalled.release
    jobs = await startJobs(of.context, of.database, log, [...roomJobs, ...stalled.stalling])
    await stalled.allStall()
  }

  test('holds up neither maturities nor mails of others', async () => {
    const of = product as Product
    smtp.fail({ at: 'DATA', by: 'stall' }, 'stalled@example.com')
    await startStalling(
      of,
      stallingJobs(5, (_db, wait) => wait()),
    )
    await mailTo('stalled@example.com', of)
    const { superuser } = of.database
    const attempts = "SELECT attempts, status FROM mails WHERE recipient = 'stalled@example.com'"
    const underWay = [{ attempts: 1, status: 'WAITING' }]
    await eventually(async () => expect((await superuser.query(attempts)).rows).toEqual(underWay))
    await mailTo('other@example.com', of)
    await eventually(() => expect(smtp.received).toMatchObject([{ to: 'other@example.com' }]))
    await seeMaturityPaid(of)
    expect((await superuser.query(attempts)).rows).toEqual(underWay)
  })

  test('of every network’s stalled node holds up neither', async () => {
    await product?.close()
    const asked = new Set<string>()
    const node = await startFakeNode((_asked, _response, { url = '' }) => void asked.add(url))
    const evm = (chainId: number) => ({ kind: 'evm', url: `${node.url}/${chainId}`, chainId })
    const chains = {
      Bitcoin: { kind: 'bitcoin', url: `${node.url}/0`, genesis: REGTEST },
      Ethereum: evm(1),
      'Binance Smart Chain': evm(56),
      Polygon: evm(137),
      Solana: { kind: 'solana', url: `${node.url}/sol`, genesis: '1'.repeat(32) },
    }
    const of = await startProduct({
      SMTP_URL: smtp.url,
      MAIL_FROM: 'pool@example.com',
      DAY_SECONDS: '1',
      CHAINS: chainsFile(chains),
    })
    product = of
    jobs = await startJobs(of.context, of.database, log)
    await eventually(() => expect([...asked].sort()).toEqual(['/0', '/1', '/137', '/56', '/sol']))
    await mailTo('other@example.com', of)
    await eventually(() => expect(smtp.received).toMatchObject([{ to: 'other@example.com' }]))
    await seeMaturityPaid(of)
  })

  test('takes no connections from other work', async () => {
    const of = product as Product
    await startStalling(
      of,
      stallingJobs(3, (db, wait) => db.connection().execute(wait)),
    )
    await seeMaturityPaid(of)
  })
})
