import { setTimeout as wait } from 'node:timers/promises'
import {
  type JobHelpers,
  Logger,
  type Runner,
  run,
  runMigrations,
  type TaskList,
} from 'graphile-worker'
import pg from 'pg'
import { FULL_DAY_SECONDS } from '../config.ts'
import type { Context } from '../context.ts'
import { forgetOldAttempts } from '../credentials/throttle.ts'
import type { Database } from '../db/connection.ts'
import { payMaturities } from '../investments/payMaturities.ts'
import { forgetOldKeys } from '../ledger/forgetKeys.ts'
import { keepChecking } from '../ledger/keepChecking.ts'
import type { Log } from '../process/log.ts'
import { forgetEndedSessions } from '../sessions/sessions.ts'
import { expireDeposits } from '../transactions/expireDeposits.ts'
import { forgetAssignments } from '../wallets/forgetAssignments.ts'

/** Background work: on one node at a time, whichever it is, tried again when it fails. */
export type Jobs = { readonly isRunning: () => boolean; readonly stop: () => Promise<void> }

// Maturities are paid within a minute; the whole ledger is recomputed every hour; what strangers
// can make grow is cut back every ten; other clean-up is daily, at a quiet hour.
const schedule = `
* * * * * maturities ?max=3
*/10 * * * * attempts
23 * * * * ledgerCheck ?max=3
17 4 * * * expiry
37 4 * * * cleanup
`

/** How soon background work that ended by itself is begun again, in milliseconds. */
const AGAIN_AFTER = 1_000

// graphile-worker shows its tables to their owner alone. Who else may see them at all is said by
// the grants.
const GRANTS = `
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT oid::regclass FROM pg_class AS c WHERE relnamespace = 'graphile_worker'::regnamespace AND relrowsecurity
    AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid)
  LOOP
    EXECUTE format('CREATE POLICY product ON %s USING (true)', name);
  END LOOP;
END $$;
GRANT USAGE ON SCHEMA graphile_worker TO :app;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA graphile_worker TO :app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA graphile_worker TO :app;
REVOKE INSERT, UPDATE, DELETE ON graphile_worker.migrations FROM :app`

/**
 * How many migrations of its tables there have been, and whether a role may use them; nothing where
 * there are none yet.
 */
const stateOf = async (owner: pg.Pool, role: string): Promise<string | undefined> => {
  const { rows } = await owner.query(
    "SELECT to_regclass('graphile_worker.migrations') IS NOT NULL AS made",
  )
  if (!rows[0].made) return undefined
  const { rows: found } = await owner.query(
    "SELECT max(id) || ' ' || has_table_privilege($1, 'graphile_worker.migrations', 'SELECT') AS state FROM graphile_worker.migrations",
    [role],
  )
  return found[0].state
}

/**
 * Makes the tables of the background work as the database's owner, or brings them to this version,
 * and lets the product's role use them.
 */
export const migrateJobs = async ({
  pool,
  owner,
}: Pick<Database, 'pool' | 'owner'>): Promise<void> => {
  // A role that is both makes them when the work begins.
  if (owner === pool) return
  const { rows } = await pool.query<{ role: string }>('SELECT current_user AS role')
  const role = rows[0]?.role ?? ''
  const before = await stateOf(owner, role)
  await runMigrations({ pgPool: owner })
  if (before?.endsWith('true') && before === (await stateOf(owner, role))) return
  await owner.query(GRANTS.replaceAll(':app', pg.escapeIdentifier(role)))
}

/** Starts the background work of this process, and begins it again should it end by itself. */
export const startJobs = async (context: Context, pool: pg.Pool, log: Log): Promise<Jobs> => {
  // The worker writes its own job ids as JSON, which knows no bigint: it needs connections that
  // read them in the usual way. A pool does not hand on its password with the rest of its options.
  const workerPool = new pg.Pool({
    ...pool.options,
    password: pool.options.password,
    types: pg.types,
    max: WORKER_CONNECTIONS,
  })
  workerPool.on('error', ({ message }) =>
    log.warn({ reason: message }, 'a connection of the jobs was lost'),
  )
  workerPool.on('connect', (client) => client.on('error', () => undefined))
  const stopping = new AbortController()
  let runner: Runner | undefined = await begin(context, workerPool, log)

  const keeping = (async () => {
    while (!stopping.signal.aborted) {
      await runner?.promise.catch((err: unknown) =>
        log.error({ err }, 'the background jobs failed'),
      )
      runner = undefined
      if (!stopping.signal.aborted) log.warn('the background jobs have ended; beginning them again')
      await wait(AGAIN_AFTER, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (!stopping.signal.aborted)
        runner = await begin(context, workerPool, log).catch(() => undefined)
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
const end = (runner: Runner | undefined): Promise<void> | undefined =>
  runner?.stop().catch(() => undefined)

const begin = async (context: Context, pgPool: pg.Pool, log: Log): Promise<Runner> => {
  // With days made shorter for a demonstration, the minute of the schedule is too coarse: the job
  // then calls itself every second.
  const everySecond = context.config.daySeconds < FULL_DAY_SECONDS
  const runner = await run({
    pgPool,
    taskList: tasks(context, log, everySecond),
    crontab: schedule,
    concurrency: 2,
    pollInterval: everySecond ? 500 : 2_000,
    noHandleSignals: true,
    // Without these, that a job has ended is written by a promise that nobody waits for: a database
    // that is lost at that moment would end the process. With them, it ends the runner.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: new Logger(
      (scope) => (level, message) =>
        log[logLevels[level] ?? 'debug']({ job: scope.taskIdentifier }, message),
    ),
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

const logLevels: Readonly<Record<string, 'error' | 'warn' | 'debug'>> = {
  error: 'error',
  warning: 'warn',
}

const tasks = (context: Context, log: Log, everySecond: boolean): TaskList => ({
  maturities: async (_payload: unknown, { addJob }: JobHelpers) => {
    const { matured, paid } = await payMaturities(context)
    if (matured > 0) log.info({ matured, paidCents: String(paid) }, 'investments matured')
    if (everySecond)
      await addJob(
        'maturities',
        {},
        { jobKey: 'maturities-each-second', runAt: new Date(Date.now() + 1_000) },
      )
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
