import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { connect, type Database } from '../../base/db/connection.ts'
import type { Job } from '../../base/process/job.ts'
import { openLog } from '../../base/process/log.ts'
import type { Context, WithDb } from '../../http/context.ts'
import { type Door, openDoor } from '../../testing/door.ts'
import { rewoundProduct } from '../../testing/product.ts'
import { startJobs } from './jobs.ts'
import type { Running } from './runner.ts'

const log = openLog('silent')
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 20 })
/** Milliseconds of a runner's tick, so that it notices a silence within two seconds. */
const TICK_MS = 200
const SINGLES = 8

const product = rewoundProduct()
let door: Door
/** The jobs' database, whose connections all lead through the door. */
let through: Database
let jobs: Running | undefined
beforeEach(async () => {
  const { app } = inject('postgres')
  door = await openDoor(app)
  const { rows } = await product.database.superuser.query('SELECT current_database() AS name')
  through = connect({ ...app, host: '127.0.0.1', port: door.port, database: rows[0].name }, 10, log)
})
afterEach(async () => {
  await jobs?.stop()
  jobs = undefined
  door.cut()
  await through.close()
  door.close()
})

/** Jobs of which each is added once, and one that repeats. */
const openWork = (run: (db: WithDb['db']) => Promise<unknown> = async () => undefined) => {
  const done: string[] = []
  let begun = 0
  const work = (name: Job<Context>['name']): Job<Context> => ({
    name,
    at: '0 0 * * *',
    run: async ({ db }) => {
      begun += 1
      await run(db)
      done.push(name)
    },
  })
  const names = Array.from({ length: SINGLES }, (_, n) => `cleanup-${n}` as const)
  const singles = names.map(work)
  let beats = 0
  const steady: Job<Context> = {
    name: 'cleanup-steady',
    at: '* * * * *',
    repeatAfter: () => 0.1,
    run: async () => {
      beats += 1
    },
  }
  return {
    jobs: [...singles, steady],
    begun: () => begun,
    add: async () => {
      for (const name of names)
        await product.database.superuser.query('SELECT graphile_worker.add_job($1)', [name])
    },
    goesOn: async (more = 2) => {
      const before = beats
      await eventually(() => expect(beats).toBeGreaterThanOrEqual(before + more))
    },
    isDoneOnce: async () => {
      await eventually(() => expect(new Set(done).size).toBe(SINGLES))
      const waiting =
        "SELECT task_identifier FROM graphile_worker.jobs WHERE task_identifier SIMILAR TO 'cleanup-[0-9]'"
      await eventually(async () =>
        expect((await product.database.superuser.query(waiting)).rows).toEqual([]),
      )
      expect(done.toSorted()).toEqual(names)
    },
  }
}

const start = async (work: ReturnType<typeof openWork>): Promise<void> => {
  const context = { ...product.context, db: through.db, outages: through.outages }
  jobs = await startJobs(context, through, log, work.jobs, TICK_MS)
}

describe('jobs go on, each once, after connections', () => {
  const strikes: Readonly<Record<string, () => Promise<void>>> = {
    'are refused': async () => {
      door.isShut = true
      const before = door.knocks
      door.cut()
      await eventually(() => expect(door.knocks).toBeGreaterThan(before + 5))
      door.isShut = false
    },
    'stand still': async () => {
      const goOn = door.stand()
      await eventually(() => expect(jobs?.isRunning()).toBe(false))
      goOn()
    },
    'are lost without a word': async () => door.forget(),
    'are cut one after the other': async () => {
      for (let place = 0; place < 8; place += 1) {
        await eventually(() => expect(door.passing()).toBeGreaterThan(0))
        door.cut(place % door.passing())
      }
    },
  }
  test.for(Object.keys(strikes))('%s', async (name) => {
    const work = openWork()
    await start(work)
    await work.goesOn()
    await Promise.all([work.add(), strikes[name]?.()])
    await work.goesOn()
    await work.isDoneOnce()
  })
})

test('a connection refused during a start stops nothing', async () => {
  for (let place = 1; place <= 10; place += 1) {
    const work = openWork()
    door.refused.clear()
    door.refused.add(door.knocks + place)
    await start(work)
    await work.add()
    await work.isDoneOnce()
    await work.goesOn()
    await jobs?.stop()
    jobs = undefined
  }
})

/** Work whose first jobs wait under way until `release`. */
const startHeld = async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const work = openWork(() => released)
  await start(work)
  await work.add()
  await eventually(() => expect(work.begun()).toBe(3))
  return { work, release }
}

test('jobs that end while connections are cut end once', async () => {
  const { work, release } = await startHeld()
  const before = door.knocks
  release()
  door.isShut = true
  door.cut()
  await eventually(() => expect(door.knocks).toBeGreaterThan(before))
  door.isShut = false
  await work.isDoneOnce()
  await work.goesOn()
})

test('jobs under way when their runner is replaced end once', async () => {
  const { work, release } = await startHeld()
  door.cut()
  await eventually(() => expect(work.begun()).toBe(6))
  release()
  await work.isDoneOnce()
})

test('jobs stop while their connections stand still', async () => {
  const work = openWork()
  await start(work)
  await work.goesOn()
  const goOn = door.stand()
  try {
    await jobs?.stop()
    expect(jobs?.isRunning()).toBe(false)
  } finally {
    jobs = undefined
    goOn()
  }
})

test('a job that an ended runner takes late is freed', async () => {
  const { work, release } = await startHeld()
  const { superuser } = product.database
  const { rows } = await superuser.query(
    'SELECT locked_by AS name FROM graphile_worker.jobs WHERE locked_by IS NOT NULL LIMIT 1',
  )
  door.cut()
  await eventually(() => expect(work.begun()).toBe(6))
  await superuser.query(
    `UPDATE graphile_worker._private_jobs SET locked_by = $1, locked_at = now(), attempts = 1, max_attempts = 1
     WHERE locked_by IS NULL AND task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'cleanup-7')`,
    [rows[0].name],
  )
  release()
  await work.isDoneOnce()
})
