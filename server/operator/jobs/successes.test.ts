import { readiness } from '@pool/contract/base/health'
import { listStoppedJobs } from '@pool/contract/base/jobs'
import { notReady } from '@pool/contract/base/messages'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { afterEach, expect, test, vi } from 'vitest'
import { type Job, longestGap } from '../../base/process/job.ts'
import { openLog } from '../../base/process/log.ts'
import type { Context } from '../../http/context.ts'
import { person, rewoundProduct } from '../../testing/product.ts'
import { startJobs } from './jobs.ts'
import { roomJobs } from './roomJobs.ts'
import type { Running } from './runner.ts'
import { readJobStates } from './successes.ts'

const log = openLog('silent')
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 50 })

const product = rewoundProduct()
let jobs: Running | undefined
afterEach(async () => {
  await jobs?.stop()
  jobs = undefined
})

const start = async (of: readonly Job<Context>[] = roomJobs) => {
  jobs = await startJobs(product.context, product.database, log, of, 100)
}
const stopped = async (): Promise<string[]> => {
  const { body } = await product.call(listStoppedJobs, await person(product, ['AUDITOR']))
  return body.map(({ kind }) => kind)
}
/** Puts all successes back, as if every node had stood still. */
const age = (hours: number) =>
  product.database.superuser.query(
    "UPDATE job_successes SET since = since - $1 * interval '1 hour', succeeded_at = succeeded_at - $1 * interval '1 hour'",
    [hours],
  )

test('a job has stopped beyond its longest gap', async () => {
  await start()
  await eventually(async () =>
    expect(
      (
        await product.database.superuser.query(
          'SELECT FROM job_successes WHERE succeeded_at IS NOT NULL',
        )
      ).rowCount,
    ).toBeGreaterThan(0),
  )
  expect(await stopped()).toEqual([])
  await jobs?.stop()
  await age(1)
  const found = await stopped()
  expect(found).toContain('maturities')
  expect(found).not.toContain('ledgerCheck')
  await age(30)
  expect(await stopped()).toContain('months')
  // A start does what is overdue, and not at the next hour of a nightly job alone.
  await start()
  await eventually(async () => expect(await stopped()).toEqual([]))
})

test('readiness tells staff alone which jobs stopped', async () => {
  const staff = await person(product, ['AUDITOR'])
  const investor = await person(product)
  const ask = (by?: { readonly token: string }) => product.call(readiness, by)
  const everybody = { ready: true }
  await start()
  product.context.lifecycle.serve(jobs as Running)
  expect((await ask(staff)).body).toEqual({ ready: true, stoppedJobs: [] })
  await age(30)
  const [row] = (
    await product.database.superuser.query(
      "SELECT greatest(since, succeeded_at) AS since FROM job_successes WHERE name = 'months'",
    )
  ).rows
  const stoppedJobs = expect.arrayContaining([
    {
      kind: 'months',
      network: null,
      since: timestampFromDate(row.since),
      longestGapSeconds: 93_600,
    },
  ])
  expect((await ask(staff)).body).toEqual({ ready: true, stoppedJobs })
  for (const by of [undefined, investor, { token: 'made-up' }])
    expect((await ask(by)).body).toEqual(everybody)

  await jobs?.stop()
  const why = { why: 'jobs' }
  expect(await ask(staff)).toMatchObject({
    status: 503,
    narration: notReady.jobs,
    body: { details: { ...why, stoppedJobs } },
  })
  expect((await ask(investor)).body).toEqual({ code: 'notReady', details: why })

  // Both questions hang, and the answer of everybody comes.
  for (const table of ['sessions', 'job_successes']) {
    const holder = await product.database.superuser.connect()
    await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
    expect((await ask(staff)).body).toEqual({ code: 'notReady', details: why })
    await holder.query('ROLLBACK')
    holder.release()
  }
})

test('a run that leaves its work undone is no success', async () => {
  let runs = 0
  const left: Job<Context> = {
    name: 'chain-bitcoin',
    at: '* * * * *',
    repeatAfter: () => 0.1,
    run: async (_context, { leaveUndone }) => {
      runs += 1
      leaveUndone()
    },
  }
  await start([left])
  await eventually(() => expect(runs).toBeGreaterThan(20))
  await age(1)
  const [state] = await readJobStates(product.context, [left])
  expect(state).toMatchObject({ kind: 'chain', network: 'Bitcoin', isStopped: true })
})

test('a runner whose jobs have no success is replaced', async () => {
  let fails = true
  let failures = 0
  const failing: Job<Context> = {
    name: 'cleanup-failing',
    at: '* * * * *',
    attempts: 1,
    atStart: true,
    run: async () => {
      if (!fails) return
      failures += 1
      throw new Error('it fails')
    },
  }
  await start([failing])
  await eventually(() => expect(failures).toBe(1))
  fails = false
  await age(1)
  await eventually(async () =>
    expect((await readJobStates(product.context, [failing]))[0]?.isStopped).toBe(false),
  )
})

test.each([
  ['* * * * *', 300],
  ['*/10 * * * *', 1_800],
  ['23 * * * *', 10_800],
  ['37 4 * * *', 93_600],
] as const)('the longest gap of %s is %i seconds', (at, seconds) => {
  expect(longestGap(at)).toBe(seconds)
})
