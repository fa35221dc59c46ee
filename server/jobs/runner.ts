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
import type { Context } from '../context.ts'
import { isUnavailable } from '../db/errors.ts'
import type { Job } from '../process/job.ts'
import type { Log } from '../process/log.ts'
import { openSign } from './signsOfLife.ts'

export type Running = { readonly isRunning: () => boolean; readonly stop: () => Promise<void> }

type Work = {
  readonly jobs: readonly Job<Context>[]
  /** Jobs at once. */
  readonly concurrency: number
  readonly context: Context
  readonly log: Log
  /** Of sessions with locks. */
  readonly locks: pg.Pool
}

/** Milliseconds before an ended runner is started again. */
const AGAIN_AFTER = 1_000

/**
 * Starts a runner of jobs, and starts it again when it ends or loses the database. `direct` keeps
 * sessions.
 */
export const startRunner = async (work: Work, direct: pg.Pool): Promise<Running> => {
  const { context, log } = work
  const { outages } = context
  const onFailure = (err: unknown) => {
    if (isUnavailable(err)) outages.failed('connections', err)
    else log.error({ err }, 'background jobs failed')
  }
  const stopping = new AbortController()
  const given = { ...work, stopping: stopping.signal }
  let begun: Begun | undefined = await begin(given, direct)

  const keeping = (async () => {
    while (!stopping.signal.aborted) {
      await begun?.ended.catch(onFailure)
      begun = undefined
      if (!stopping.signal.aborted && !outages.lasts())
        log.warn('background jobs ended; restarting them')
      await wait(AGAIN_AFTER, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (!stopping.signal.aborted) begun = await begin(given, direct).catch(() => undefined)
    }
    await end(begun?.runner)
  })()

  return {
    isRunning: () => begun !== undefined,
    stop: async () => {
      stopping.abort()
      await end(begun?.runner)
      await keeping
    },
  }
}

/** Stops a runner. Ignores its refusal when it is ending already. */
const end = (runner: Runner | undefined): Promise<void> | undefined =>
  runner?.stop().catch(() => undefined)

type Begun = {
  readonly runner: Runner
  /** Resolves once the runner has ended, hears of no new jobs, or shows no sign of life. */
  readonly ended: Promise<void>
}

type Given = Work & { readonly stopping: AbortSignal }

const begin = async (work: Given, pgPool: pg.Pool): Promise<Begun> => {
  const events = new EventEmitter()
  // A runner does not always end then, and its own attempts to come back grow to a minute apart.
  const deaf = new Promise<void>((resolve) => events.once('pool:listen:error', () => resolve()))
  const sign = await openSign(work.locks, events)
  const runner = await run(optionsOf(work, pgPool, events)).catch((error) => {
    sign.close()
    throw error
  })
  const ended = new AbortController()
  const finished = runner.promise.finally(() => {
    ended.abort()
    sign.close()
  })
  finished.catch(() => undefined)
  try {
    for (const { name } of repeating(work))
      await runner.addJob(name, {}, { jobKey: repeatKey(name) })
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
      pushed?.(work.context.config, () => void ask(), ended.signal)
    }
    const left = Promise.race([deaf, sign.lost]).then(() => void end(runner))
    return { runner, ended: Promise.race([finished, left]) }
  } catch (error) {
    await end(runner)
    throw error
  }
}

const repeating = ({ jobs, context }: Given): readonly Job<Context>[] =>
  jobs.filter((job) => job.repeatAfter?.(context.config) !== undefined)

const optionsOf = (work: Given, pgPool: pg.Pool, events: WorkerEvents): RunnerOptions => ({
  pgPool,
  events,
  taskList: taskListOf(work),
  parsedCronItems: parseCronItems(work.jobs.map(cronItemOf)),
  concurrency: work.concurrency,
  pollInterval: repeating(work).length > 0 ? 500 : 2_000,
  noHandleSignals: true,
  // Without batching, a lost database ends the runner. With batching, its unhandled rejection
  // would end the process.
  preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  logger: new Logger(
    (scope) => (level, message) =>
      work.log[work.context.outages.lasts() ? 'debug' : (logLevels[level] ?? 'debug')](
        { job: scope.taskIdentifier },
        message,
      ),
  ),
})

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
    ...((alone || outside) && { queueName: name, jobKey: name, jobKeyMode: 'replace' }),
  },
})

const taskListOf = ({ jobs, context, log, locks, stopping }: Given): TaskList =>
  Object.fromEntries(
    jobs.map(({ name, run, repeatAfter }): [string, Task] => [
      name,
      async (_payload, { addJob }) => {
        await run(context, { log, stopping, session: () => locks.connect() })
        const seconds = repeatAfter?.(context.config)
        if (seconds === undefined) return
        const runAt = new Date(Date.now() + seconds * 1_000)
        await addJob(name, {}, { jobKey: repeatKey(name), runAt })
      },
    ]),
  )
