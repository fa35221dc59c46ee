import { type JobHelpers, Logger, run, type TaskList } from 'graphile-worker'
import pg from 'pg'
import { FULL_DAY_SECONDS } from '../config.ts'
import type { Context } from '../context.ts'
import { payMaturities } from '../investments/payMaturities.ts'
import { forgetOldKeys } from '../ledger/forgetKeys.ts'
import { keepChecking } from '../ledger/keepChecking.ts'
import type { Log } from '../log.ts'
import { expireDeposits } from '../transactions/expireDeposits.ts'
import { forgetOldAttempts } from '../users/loginThrottle.ts'
import { forgetEndedSessions } from '../users/sessions.ts'

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

/** Starts the background work of this process. */
export const startJobs = async (context: Context, pool: pg.Pool, log: Log): Promise<Jobs> => {
  // The worker writes its own job ids as JSON, which knows no bigint: it needs connections that read them in the usual way. A pool does not
  // hand on its password with the rest of its options.
  const workerPool = new pg.Pool({ ...pool.options, password: pool.options.password, types: pg.types, max: WORKER_CONNECTIONS })
  workerPool.on('error', ({ message }) => log.warn({ reason: message }, 'a connection of the jobs was lost'))
  workerPool.on('connect', (client) => client.on('error', () => undefined))
  // With days made shorter for a demonstration, the minute of the schedule is too coarse: the job then calls itself every second.
  const everySecond = context.config.daySeconds < FULL_DAY_SECONDS
  const runner = await run({
    pgPool: workerPool,
    taskList: tasks(context, log, everySecond),
    crontab: schedule,
    concurrency: 2,
    pollInterval: everySecond ? 500 : 2_000,
    noHandleSignals: true,
    logger: new Logger((scope) => (level, message) => log[logLevels[level] ?? 'debug']({ job: scope.taskIdentifier }, message)),
  })
  if (everySecond) await runner.addJob('maturities', {}, { jobKey: 'maturities-each-second' })
  // So that a database that was restored or moved is checked before long.
  await runner.addJob('ledgerCheck', {}, { jobKey: 'ledger-check-at-start', maxAttempts: 3 })
  let running = true
  const ended = (err?: unknown) => {
    running = false
    if (err) log.error({ err }, 'the background jobs have ended')
  }
  runner.promise.then(() => ended(), ended)
  return {
    isRunning: () => running,
    stop: async () => {
      await runner.stop()
      await workerPool.end()
    },
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
    const expired = await expireDeposits(context.db, context.config.depositTtlDays)
    if (expired > 0) log.info({ expired }, 'deposits expired')
  },
  ledgerCheck: async () => {
    const finding = await keepChecking(context.db)
    if (finding) log.fatal({ finding }, 'THE LEDGER IS NOT WHOLE')
  },
  attempts: async () => {
    await forgetOldAttempts(context.db)
  },
  cleanup: async () => {
    const sessions = await forgetEndedSessions(context.db)
    const keys = await forgetOldKeys(context.db)
    log.info({ sessions, keys }, 'cleaned up')
  },
})
