import { EventEmitter } from 'node:events'
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
import type { Context } from '../context.ts'
import type { Database } from '../db/connection.ts'
import { isUnavailable } from '../db/errors.ts'
import { aloneAmongNodes, grantee } from '../db/migrate.ts'
import { FULL_DAY_SECONDS } from '../environment.ts'
import { forgetChallenges } from '../factors/challenges.ts'
import { payMaturities } from '../investments/payMaturities.ts'
import { forgetOldKeys } from '../ledger/forgetKeys.ts'
import { keepChecking } from '../ledger/keepChecking.ts'
import { makeMonths } from '../ledger/months.ts'
import { forgetOldLinks } from '../links/openLinks.ts'
import { forgetOldMails } from '../mail/outbox.ts'
import { sendMails } from '../mail/send.ts'
import type { Transport } from '../mail/transport.ts'
import { mailNotices } from '../notices/mailNotices.ts'
import type { Log } from '../process/log.ts'
import { forgetEndedSessions } from '../sessions/sessions.ts'
import { forgetOldDevices } from '../signIn/newDevice.ts'
import { forgetOldCounts } from '../throttle/counts.ts'
import { expireDeposits } from '../transactions/expireDeposits.ts'
import { forgetAssignments } from '../wallets/forgetAssignments.ts'

/** Background jobs. Each runs on one node at a time and is retried when it fails. */
export type Jobs = { readonly isRunning: () => boolean; readonly stop: () => Promise<void> }

// Runs maturities, notices and mails each minute, attempts every ten, the ledger check hourly,
// clean-up at night.
const schedule = `
* * * * * maturities ?max=3
* * * * * notices ?max=1&queue=notices&jobKey=notices
* * * * * mails ?max=1&queue=mails&jobKey=mails
*/10 * * * * attempts
23 * * * * ledgerCheck ?max=3
57 3 * * * months
17 4 * * * expiry
37 4 * * * cleanup
`

/** Milliseconds before ended jobs are restarted. */
const AGAIN_AFTER = 1_000

// Opens graphile-worker's tables, which only their owner can read, to the product's role.
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

/** Number of migrations and the role's right to read them. Undefined before the first one. */
const stateOf = async (owner: pg.PoolClient, role: string): Promise<string | undefined> => {
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
 * Makes or migrates the jobs' tables as the database's owner, and grants the product's role its
 * rights.
 */
export const migrateJobs = async (database: Pick<Database, 'pool' | 'owner'>): Promise<void> => {
  const { owner } = database
  const role = await grantee(database)
  await aloneAmongNodes(owner, async (client) => {
    if (role === undefined) return runMigrations({ pgPool: owner })
    const before = await stateOf(client, role)
    await runMigrations({ pgPool: owner })
    if (before?.endsWith('true') && before === (await stateOf(client, role))) return
    await client.query(GRANTS.replaceAll(':app', pg.escapeIdentifier(role)))
  })
}

/**
 * Starts the jobs of this process, and starts them again when they end or lose the database.
 * `direct` keeps sessions.
 */
export const startJobs = async (context: Context, direct: pg.Pool, log: Log): Promise<Jobs> => {
  const { outages } = context
  const onFailure = (err: unknown) => {
    if (isUnavailable(err)) outages.failed('connections', err)
    else log.error({ err }, 'background jobs failed')
  }
  const stopping = new AbortController()
  const transport = await transportOf(context)
  const start = () => begin({ context, transport }, direct, log)
  let running: Running | undefined = await start()

  const keeping = (async () => {
    while (!stopping.signal.aborted) {
      await running?.ended.catch(onFailure)
      running = undefined
      if (!stopping.signal.aborted && !outages.lasts())
        log.warn('background jobs ended; restarting them')
      await wait(AGAIN_AFTER, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (!stopping.signal.aborted) running = await start().catch(() => undefined)
    }
    await end(running?.runner)
  })()

  return {
    isRunning: () => running !== undefined,
    stop: async () => {
      stopping.abort()
      await end(running?.runner)
      await keeping
    },
  }
}

/** Stops a runner. Ignores its refusal when it is ending already. */
const end = (runner: Runner | undefined): Promise<void> | undefined =>
  runner?.stop().catch(() => undefined)

/** The way to the SMTP server, loaded where one is configured. */
const transportOf = async ({ config }: Context): Promise<Transport | undefined> =>
  config.mail && (await import('../mail/transport.ts')).openTransport({ ...config, ...config.mail })

type Means = { readonly context: Context; readonly transport: Transport | undefined }

type Running = {
  readonly runner: Runner
  /** Resolves once the runner has ended, or lost the connection that tells it of new jobs. */
  readonly ended: Promise<void>
}

const begin = async (means: Means, pgPool: pg.Pool, log: Log): Promise<Running> => {
  const { context } = means
  const events = new EventEmitter()
  // A runner does not always end then, and its own attempts to come back grow to a minute apart.
  const lost = new Promise<void>((resolve) => events.once('pool:listen:error', () => resolve()))
  // With short days, the job schedules itself every second, since cron is too coarse.
  const everySecond = context.config.daySeconds < FULL_DAY_SECONDS
  const runner = await run({
    pgPool,
    events,
    taskList: tasks(means, log, everySecond),
    crontab: schedule,
    concurrency: CONCURRENCY,
    pollInterval: everySecond ? 500 : 2_000,
    noHandleSignals: true,
    // Without batching, a lost database ends the runner. With batching, its unhandled rejection
    // would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: new Logger(
      (scope) => (level, message) =>
        log[context.outages.lasts() ? 'debug' : (logLevels[level] ?? 'debug')](
          { job: scope.taskIdentifier },
          message,
        ),
    ),
  })
  try {
    if (everySecond) await runner.addJob('maturities', {}, { jobKey: 'maturities-each-second' })
    // Checks a restored or moved database soon.
    await runner.addJob('ledgerCheck', {}, { jobKey: 'ledger-check-at-start', maxAttempts: 3 })
    const left = lost.then(() => void end(runner))
    return { runner, ended: Promise.race([runner.promise, left]) }
  } catch (error) {
    await end(runner)
    throw error
  }
}

/** Jobs at once. Mails have a queue of their own, so a slow mail server holds one of them. */
const CONCURRENCY = 3

const logLevels: Readonly<Record<string, 'error' | 'warn' | 'debug'>> = {
  error: 'error',
  warning: 'warn',
}

const tasks = ({ context, transport }: Means, log: Log, everySecond: boolean): TaskList => ({
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
  months: async () => {
    const made = await makeMonths(context.db)
    if (made > 0) log.info({ made }, 'months of movements made')
  },
  expiry: async () => {
    const expired = await expireDeposits(context, context.config.depositTtlDays)
    if (expired > 0) log.info({ expired }, 'deposits expired')
  },
  ledgerCheck: async () => {
    const finding = await keepChecking(context.db, context.keys)
    if (finding) log.fatal({ finding }, 'THE LEDGER IS NOT WHOLE')
  },
  notices: async () => {
    const queued = await mailNotices(context)
    if (queued > 0) log.info({ queued }, 'notices turned into mails')
  },
  mails: async () => {
    const sent = transport ? await sendMails(context, transport, log) : 0
    if (sent > 0) log.info({ sent }, 'mails sent')
  },
  attempts: async () => {
    await forgetOldCounts(context.db)
    await forgetAssignments(context.db)
    await forgetChallenges(context.db)
  },
  cleanup: async () => {
    const sessions = await forgetEndedSessions(context.db)
    const keys = await forgetOldKeys(context.db)
    const mails = await forgetOldMails(context.db)
    const resets = await forgetOldLinks(context.db, 'password_resets')
    const emailLinks = await forgetOldLinks(context.db, 'email_links')
    const freezeLinks = await forgetOldLinks(context.db, 'freeze_links')
    const devices = await forgetOldDevices(context.db)
    log.info({ sessions, keys, mails, resets, emailLinks, freezeLinks, devices }, 'cleaned up')
  },
})
