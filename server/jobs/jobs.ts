import { setTimeout as wait } from 'node:timers/promises'
import { type JobHelpers, Logger, type Runner, run, type TaskList } from 'graphile-worker'
import pg from 'pg'
import { FULL_DAY_SECONDS } from '../config.ts'
import type { Context } from '../context.ts'
import { payMaturities } from '../investments/payMaturities.ts'
import { forgetOldKeys } from '../ledger/forgetKeys.ts'
import { keepChecking } from '../ledger/keepChecking.ts'
import type { Log } from '../log.ts'
import { forgetEndedSessions } from '../sessions/sessions.ts'
import { expireDeposits } from '../transactions/expireDeposits.ts'
import { forgetOldAttempts } from '../users/loginThrottle.ts'
import { forgetAssignments } from '../wallets/forgetAssignments.ts'

/** Background work: on one node at a time, whichever it is, tried again when it fails. */
export type Jobs = { readonly isRunning: () => boolean; readonly stop: () => Promise<void> }

// Maturities are paid within a minute; the whole ledger is recomputed every hour; what strangers can make grow is cut back every ten; other clean-up is daily, at a quiet hour.
const schedule = `
* * * * * maturities ?max=3
*/10 * * * * attempts
23 * * * * ledgerCheck ?max=3
17 4 * * * expiry
37 4 * * * cleanup
`

/** How soon background work that ended by itself is begun again, in milliseconds. */
const AGAIN_AFTER = 1_000

/** Starts the background work of this process, and begins it again should it end by itself. */
export const startJobs = async (context: Context, pool: pg.Pool, log: Log): Promise<Jobs> => {
  // The worker writes its own job ids as JSON, which knows no bigint: it needs connections that read them in the usual way. A pool does not
  // hand on its password with the rest of its options.
  const workerPool = new pg.Pool({ ...pool.options, password: pool.options.password, types: pg.types, max: WORKER_CONNECTIONS })
  workerPool.on('error', ({ message }) => log.warn({ reason: message }, 'a connection of the jobs was lost'))
  workerPool.on('connect', (client) => client.on('error', () => undefined))
  const stopping = new AbortController()
  let runner: Runner | undefined = await begin(context, workerPool, log)

  const keeping = (async () => {
    while (!stopping.signal.aborted) {
      await runner?.promise.catch((err: unknown) => log.error({ err }, 'the background jobs failed'))
      runner = undefined
      if (!stopping.signal.aborted) log.warn('the background jobs have ended; beginning them again')
      await wait(AGAIN_AFTER, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (!stopping.signal.aborted) runner = await begin(context, workerPool, log).catch(() => undefined)
    }
    await end(runner)
  })()

  return {
    isRunning: () => runner !== undefined,
    stop: async () => {
      stopping.abort()
      await end(runner)
      await keeping
      await workerPool.end()
    },
  }
}

/** Ends a runner; one that has begun to end by itself refuses to be ended. */
const end = (runner: Runner | undefined): Promise<void> | undefined => runner?.stop().catch(() => undefined)

const begin = async (context: Context, pgPool: pg.Pool, log: Log): Promise<Runner> => {
  // With days made shorter for a demonstration, the minute of the schedule is too coarse: the job then calls itself every second.
  const everySecond = context.config.daySeconds < FULL_DAY_SECONDS
  const runner = await run({
    pgPool,
    taskList: tasks(context, log, everySecond),
    crontab: schedule,
    concurrency: 2,
    pollInterval: everySecond ? 500 : 2_000,
    noHandleSignals: true,
    // Without these, that a job has ended is written by a promise that nobody waits for: a database that is lost at that moment would end the process.
    // With them, it ends the runner.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: new Logger((scope) => (level, message) => log[logLevels[level] ?? 'debug']({ job: scope.taskIdentifier }, message)),
  })
  try {
    if (everySecond) await runner.addJob('maturities', {}, { jobKey: 'maturities-each-second' })
    // So that a database that was restored or moved is checked before long.
    await runner.addJob('ledgerCheck', {}, { jobKey: 'ledger-check-at-start', maxAttempts: 3 })
    return runner
  } catch (error) {
    await end(runner)
    throw error
  }
}

/** One that listens, two that work, one for the schedule. */
const WORKER_CONNECTIONS = 4

const logLevels: Readonly<Record<string, 'error' | 'warn' | 'debug'>> = { error: 'error', warning: 'warn' }

const tasks = (context: Context, log: Log, everySecond: boolean): TaskList => ({
  maturities: async (_payload: unknown, { addJob }: JobHelpers) => {
    const { matured, paid } = await payMaturities(context)
    if (matured > 0) log.info({ matured, paidCents: String(paid) }, 'investments matured')
    if (everySecond) await addJob('maturities', {}, { jobKey: 'maturities-each-second', runAt: new Date(Date.now() + 1_000) })
  },
  expiry: async () => {
    const expired = await expireDeposits(context, context.config.depositTtlDays)
    if (expired > 0) log.info({ expired }, 'deposits expired')
  },
  ledgerCheck: async () => {
    const finding = await keepChecking(context.db)
    if (finding) log.fatal({ finding }, 'THE LEDGER IS NOT WHOLE')
  },
  attempts: async () => {
    await forgetOldAttempts(context.db)
    await forgetAssignments(context.db)
  },
  cleanup: async () => {
    const sessions = await forgetEndedSessions(context.db)
    const keys = await forgetOldKeys(context.db)
    log.info({ sessions, keys }, 'cleaned up')
  },
})
