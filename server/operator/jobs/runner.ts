import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type CronItem,
  Logger,
  parseCronItems,
  type Runner,
  type RunnerOptions,
  run,
  type Task,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import type pg from 'pg'
import type { CutPool } from '../../base/db/connection.ts'
import { isUnavailable } from '../../base/db/errors.ts'
import type { Job } from '../../base/process/job.ts'
import type { Log } from '../../base/process/log.ts'
import type { Context } from '../../http/context.ts'
import { type Ended, openBeat } from './beat.ts'
import { showSign } from './signsOfLife.ts'
import { knowJobs, overdueOf, type Successes } from './successes.ts'
import { watchWorkers } from './watch.ts'
import { isUnderWay, noted, openWorks, type Works } from './work.ts'

export type Running = { readonly isRunning: () => boolean; readonly stop: () => Promise<void> }

type Work = {
  readonly jobs: readonly Job<Context>[]
  /** Jobs at once. */
  readonly concurrency: number
  readonly context: Context
  readonly log: Log
  /** Of sessions with locks. */
  readonly locks: pg.Pool
  /** Opens the connections of one runner, which are cut when it ends. */
  readonly openPool: () => CutPool
  /** Milliseconds between two looks at the runner. */
  readonly tickMs: number
}

/** Ticks between two beats, which settle and free work. */
const BEAT_TICKS = 3
/** Ticks for a beat, for a start, and for the jobs under way at a stop. */
const BOUND = { beat: 8, start: 60, stop: 30 }
/** Ticks after which a job that had no success in its time costs the runner its place. */
const OVERDUE_TICKS = 120
/** Most by which bounds grow while runners are replaced soon, as on a machine that is too busy. */
const MOST_PATIENCE = 8
/** Ticks of a runner after which the bounds are the first ones again. */
const CALM_TICKS = 60

/**
 * Starts a runner of jobs, and replaces it when its workers, its beat or the database fail. The
 * next runner settles the jobs of the ended one, so nothing waits for that one itself.
 */
export const startRunner = async (work: Work): Promise<Running> => {
  const { context, log, tickMs } = work
  const { outages } = context
  const stopping = new AbortController()
  const ended: Ended[] = []
  const successes: Successes = new Map()
  const patience = { factor: 0.5 }
  const given = { ...work, stopping: stopping.signal, ended, successes, patience }
  let begun: Begun | undefined = await begin(given)

  const keeping = (async () => {
    while (!stopping.signal.aborted) {
      if (begun) {
        const why = await Promise.race([begun.lost, aborted(stopping.signal)])
        if (stopping.signal.aborted) break
        if (!outages.lasts()) log.warn({ why }, 'background jobs ended; restarting them')
        begun.cut()
        begun = undefined
      }
      await wait(tickMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) break
      begun = await begin(given).catch((err: unknown) => {
        if (stopping.signal.aborted) return undefined
        if (isUnavailable(err)) outages.failed('connections', err)
        else log.error({ err }, 'background jobs failed')
        return undefined
      })
    }
    await begun?.stop()
    begun = undefined
  })()

  return {
    isRunning: () => begun !== undefined,
    stop: () => {
      stopping.abort()
      return keeping
    },
  }
}

const aborted = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve('stopped')
    signal.addEventListener('abort', () => resolve('stopped'), { once: true })
  })

type RunnerState = Work & {
  readonly stopping: AbortSignal
  readonly ended: Ended[]
  /** Factor of the bounds. */
  readonly patience: { factor: number }
  /** Successes that are not written yet. */
  readonly successes: Successes
}

type Begun = {
  /** Resolves with the reason once the runner must be replaced. */
  readonly lost: Promise<string>
  /** Ends the runner at once. Its jobs under way go on, and the next runner settles them. */
  readonly cut: () => void
  /** Takes no more jobs, waits for those under way up to a bound, and ends the runner. */
  readonly stop: () => Promise<void>
}

const begin = async (work: RunnerState): Promise<Begun> => {
  const { pool, cut: cutPool } = work.openPool()
  const works = openWorks()
  const events = new EventEmitter()
  const over = new AbortController()
  const { promise: lost, resolve: lose } = Promise.withResolvers<string>()
  const { patience } = work
  const tellWorkers = watchWorkers(events, { lose, patience })
  patience.factor = Math.min(MOST_PATIENCE, patience.factor * 2)
  let runner: Runner | undefined
  let heart: NodeJS.Timeout | undefined

  const cut = () => {
    if (over.signal.aborted) return
    over.abort()
    clearInterval(heart)
    void runner?.stop().catch(() => undefined)
    cutPool()
    work.ended.push({ works, beats: 0 })
  }
  const start = async (): Promise<Begun> => {
    const session = await pool.connect()
    session.on('error', () => lose('the sign of life is lost'))
    // No worker takes a job before the sign is shown.
    const shown = Promise.withResolvers<void>()
    events.once('pool:create', ({ workerPool }) => {
      works.name = workerPool.id
      showSign(session, workerPool.id).then(() => shown.resolve(), shown.reject)
    })
    shown.promise.catch(() => undefined)
    let repeat = (): Promise<void> => Promise.resolve()
    const beat = openBeat({ ...work, works, session, repeat: () => repeat() })
    runner = await run(
      optionsOf(work, { pool, events, works, lose, shown: shown.promise, over: over.signal }),
    )
    runner.promise.then(
      () => lose('it ended'),
      (error: unknown) => lose(String(error)),
    )
    const begun = runner
    repeat = () => addRepeating(work, begun)
    await shown.promise
    await beat()
    await addFirst(work, runner, { session, ended: over.signal })
    heart = watch(work, { beat, tellWorkers, lose, overdue: () => overdueOf(session, work.jobs) })
    return { lost, cut, stop: () => stopRunner(work, { runner, works, beat, cut }) }
  }
  try {
    return await Promise.race([within(work, BOUND.start, start()), rejectedAt(work.stopping)])
  } catch (error) {
    cut()
    throw error
  }
}

/** Rejects once a stop begins, which waits for no start. */
const rejectedAt = async (stopping: AbortSignal): Promise<never> => {
  throw new Error(await aborted(stopping))
}

/** Rejects after this many ticks, which do not pass while the process stands still. */
const within = async <T>(
  { tickMs, patience }: RunnerState,
  ticks: number,
  promise: Promise<T>,
): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  let passed = 0
  const clock = setInterval(() => {
    passed += 1
    if (passed >= ticks * patience.factor) reject(new Error('the jobs got no answer in time'))
  }, tickMs)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearInterval(clock)
  }
}

type Watched = {
  readonly beat: () => Promise<void>
  readonly tellWorkers: () => void
  readonly lose: (why: string) => void
  /** The names of jobs without a success in their time. */
  readonly overdue: () => Promise<readonly string[]>
}

const watch = (
  work: RunnerState,
  { beat, tellWorkers, lose, overdue }: Watched,
): NodeJS.Timeout => {
  let ticks = 0
  let isBeating = false
  const look = async () => {
    await beat()
    if (ticks < OVERDUE_TICKS) return
    const names = await overdue()
    if (names.length > 0) lose(`without a success for too long: ${names.join(', ')}`)
    else ticks = 0
  }
  return setInterval(() => {
    tellWorkers()
    ticks += 1
    if (ticks === CALM_TICKS) work.patience.factor = 1
    if (ticks % BEAT_TICKS !== 0 || isBeating) return
    isBeating = true
    within(work, BOUND.beat, look())
      .catch((error: unknown) => lose(String(error)))
      .finally(() => {
        isBeating = false
      })
  }, work.tickMs)
}

type Stopped = {
  readonly runner: Runner | undefined
  readonly works: Works
  readonly beat: () => Promise<void>
  readonly cut: () => void
}

const stopRunner = async (
  work: RunnerState,
  { runner, works, beat, cut }: Stopped,
): Promise<void> => {
  void runner?.stop().catch(() => undefined)
  const all = () => [works, ...work.ended.map((each) => each.works)]
  for (let ticks = 0; ticks < BOUND.stop && all().some(isUnderWay); ) {
    await wait(STOP_LOOK_MS)
    ticks += STOP_LOOK_MS / work.tickMs
  }
  if (all().some(isUnderWay)) work.log.warn('background jobs are still under way at the stop')
  // Twice, since the first leaves a settled run to the library.
  await within(work, BOUND.beat, beat().then(beat)).catch(() => undefined)
  cut()
}

/** Milliseconds between two looks at the jobs under way. */
const STOP_LOOK_MS = 20

const addRepeating = async (work: RunnerState, runner: Runner): Promise<void> => {
  for (const { name } of repeating(work)) await runner.addJob(name, {}, { jobKey: repeatKey(name) })
}

type Start = { readonly session: pg.PoolClient; readonly ended: AbortSignal }

/** Adds the jobs that run at a start, one run of each that repeats, and those that are overdue. */
const addFirst = async (
  work: RunnerState,
  runner: Runner,
  { session, ended }: Start,
): Promise<void> => {
  await knowJobs(
    session,
    work.jobs.map(({ name }) => name),
  )
  const overdue = await overdueOf(session, work.jobs)
  for (const job of work.jobs.filter(({ name }) => overdue.includes(name)))
    await runner.addJob(job.name, {}, cronItemOf(job).options)
  await addRepeating(work, runner)
  for (const { name, attempts } of work.jobs.filter((job) => job.atStart))
    await runner.addJob(name, {}, { jobKey: `${name}-at-start`, ...mostAttempts(attempts) })
  for (const { name, pushed } of work.jobs) {
    let isAsking = false
    const ask = async () => {
      if (isAsking) return
      isAsking = true
      // A failure ends the runner by itself.
      await runner.addJob(name, {}, { jobKey: repeatKey(name) }).catch(() => undefined)
      isAsking = false
    }
    pushed?.(work.context.config, () => void ask(), ended)
  }
}

const repeating = ({ jobs, context }: RunnerState): readonly Job<Context>[] =>
  jobs.filter((job) => job.repeatAfter?.(context.config) !== undefined)

type Own = {
  readonly pool: pg.Pool
  readonly events: WorkerEvents
  readonly works: Works
  readonly lose: (why: string) => void
  readonly shown: Promise<void>
  /** Aborted once the runner has ended, when its failures tell nothing new. */
  readonly over: AbortSignal
}

const optionsOf = (
  work: RunnerState,
  { pool, events, works, lose, shown, over }: Own,
): RunnerOptions => ({
  pgPool: pool,
  events,
  taskList: taskListOf(work, works, lose),
  parsedCronItems: parseCronItems(work.jobs.map(cronItemOf)),
  concurrency: work.concurrency,
  pollInterval: pollIntervalOf(work),
  noHandleSignals: true,
  preset: {
    plugins: [{ name: 'sign', version: '1', worker: { hooks: { startWorker: () => shown } } }],
    // Without batching, the rejection of a job's end that fails would end the process.
    worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
  },
  logger: new Logger(
    (scope) => (level, message) =>
      work.log[
        over.aborted || work.context.outages.lasts() ? 'debug' : (logLevels[level] ?? 'debug')
      ]({ job: scope.taskIdentifier }, message),
  ),
})

/** Milliseconds between two looks for due jobs: half of the shortest pause, within bounds. */
const pollIntervalOf = (work: RunnerState): number => {
  const { config } = work.context
  const pauses = repeating(work).map(({ repeatAfter }) => repeatAfter?.(config) ?? 0)
  return Math.max(500, Math.min(2_000, ...pauses.map((seconds) => seconds * 500)))
}

const logLevels: Readonly<Record<string, 'error' | 'warn' | 'debug'>> = {
  error: 'error',
  warning: 'warn',
}

const mostAttempts = (attempts: number | undefined) =>
  attempts === undefined ? {} : { maxAttempts: attempts }

/** Key of the one waiting job that repeats a job. */
const repeatKey = (name: string): string => `${name}-repeated`

const cronItemOf = ({ name, at, attempts, alone, outside }: Job<Context>): CronItem => ({
  task: name,
  match: at,
  options: {
    ...mostAttempts(attempts),
    // The minutes that a process missed come together.
    jobKey: name,
    jobKeyMode: 'replace',
    ...((alone || outside) && { queueName: name }),
  },
})

const taskListOf = (
  { jobs, context, log, locks, stopping, successes }: RunnerState,
  works: Works,
  lose: (why: string) => void,
): TaskList =>
  Object.fromEntries(
    jobs.map(({ name, run, repeatAfter }): [string, Task] => [
      name,
      async (_payload, { job, addJob }) => {
        let isDone = true
        const leaveUndone = () => {
          isDone = false
        }
        await noted(works, job.id, () =>
          run(context, { log, stopping, session: () => locks.connect(), leaveUndone }),
        )
        if (isDone) successes.set(name, performance.now())
        const seconds = repeatAfter?.(context.config)
        if (seconds === undefined) return
        const runAt = new Date(Date.now() + seconds * 1_000)
        // The job itself is done. The next runner adds those that repeat.
        await addJob(name, {}, { jobKey: repeatKey(name), runAt }).catch((error: unknown) =>
          lose(`a job was not repeated: ${String(error)}`),
        )
      },
    ]),
  )
