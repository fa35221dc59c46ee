import { ensureSuperAdmin, type NewSuperAdmin } from '../../accounts/users/ensureSuperAdmin.ts'
import type { Config } from '../../base/configuration/config.ts'
import { type Database, joinDatabase } from '../../base/db/connection.ts'
import { openReplica } from '../../base/db/replica.ts'
import { openKeys } from '../../base/keys/keyFile.ts'
import type { Address } from '../../base/postgres/cluster.ts'
import type { Log } from '../../base/process/log.ts'
import { printFacts } from '../../base/process/terminal.ts'
import { TIMEOUTS } from '../../base/process/timeouts.ts'
import { askPrimary, isWorker, sendReady } from '../../base/process/workers.ts'
import { openSessionLookup } from '../../base/sessions/lookup.ts'
import { requireNodes } from '../../chain/nodes/requireNodes.ts'
import { openHub } from '../../http/changes/hub.ts'
import type { OnLedger, WithConfig } from '../../http/context.ts'
import { makeMonths } from '../../ledger/archive/months.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { openPlans } from '../../ledger/families/knownPlans.ts'
import { setLimits } from '../../money/brakes/limits.ts'
import { fundSandbox } from '../../money/reserve/fundSandbox.ts'
import { startSealing } from '../../records/audit/seal.ts'
import { configOfPool, recordOrVerifyMode } from '../../records/mode/mode.ts'
import { buildApp, type Served } from '../app.ts'
import { startJobs } from '../jobs/jobs.ts'
import { always, announce, migrateAll, openMetricsPort, type Start } from './begin.ts'

/** Serves with the database of the first process, which it asks for it. */
export const serveAsWorker = async (start: Start): Promise<void> => {
  const database = joinDatabase(
    start.config,
    await askPrimary<Address | undefined>('database'),
    start.log,
  )
  start.whenStopped('the database', database.close)
  await serve({ ...start, database })
}

/** Serves requests and runs jobs until the stop. Resolves once it serves. */
export const serve = async ({
  log,
  lifecycle,
  whenStopped,
  database,
}: Omit<Start, 'config'> & { readonly database: Database }): Promise<void> => {
  const config = await configOfPool(database, process.env)
  const keys = openKeys(config)
  // Imported only on request, to keep the start fast.
  const metrics = config.metrics && (await import('../telemetry/metrics.ts')).openMetrics()
  const tracing =
    config.traceEndpoint === undefined
      ? undefined
      : (await import('../telemetry/tracing.ts')).startTracing(database.pool)
  if (tracing) whenStopped('tracing', tracing.stop)
  const ledger = openLedger(database.pool, { observer: metrics?.ledger })
  whenStopped('the ledger', ledger.drain)
  const hub = openHub(database, log)
  whenStopped('the changes', hub.stop)
  const sessions = openSessionLookup(database.pool, keys)
  const replica =
    config.databaseReplicaUrl === undefined
      ? undefined
      : openReplica(config.databaseReplicaUrl, database, log)
  if (replica) whenStopped('the replica', replica.close)
  const context: Served = {
    config,
    plans: openPlans(database.db),
    db: database.db,
    outages: database.outages,
    replica,
    keys,
    ledger,
    sessions,
    hub,
    lifecycle,
    timeouts: TIMEOUTS,
  }

  // Listens before the migration, so that health calls report the start.
  const app = await buildApp(context, log, {
    observers: [metrics?.observe, tracing?.observe].filter((observe) => observe !== undefined),
  })
  const address = await app.listen({ host: config.host, port: config.port })
  if (isWorker) await askPrimary('migrated')
  else await migrateAll(database, config, log)
  whenStopped('audit sealing', startSealing(context, log).stop)
  await prepare(context, log)
  await requireNodes(context, log)
  // Lists come from the primary until the first look ends.
  void replica?.watch()
  const startingJobs = startJobs(context, database, log)
  // A stop meanwhile waits for them. They hold a connection, and so keep the database from closing.
  whenStopped('the jobs', () =>
    startingJobs.then(
      ({ stop }) => stop(),
      () => undefined,
    ),
  )
  const jobs = await startingJobs
  whenStopped('open requests', () => app.close())
  if (config.metrics && metrics) {
    metrics.watch(context, database)
    if (config.workers === 1)
      await openMetricsPort(metrics, { log, whenStopped, at: config.metrics })
  }
  lifecycle.serve(jobs)
  if (isWorker) sendReady()
  else announce({ config, log, port: Number(new URL(address).port) })
}

/** Makes the coming months at each start, and the first rows of an empty database. */
const prepare = async (context: OnLedger & WithConfig, log: Log): Promise<void> => {
  const { config } = context
  await recordOrVerifyMode(context)
  await makeMonths(context.db)
  const admin = await ensureSuperAdmin(context)
  if (admin) announceSuperAdmin(admin, config, log)
  await setLimits(context, config)
  if (config.poolMode === 'sandbox') await fundSandbox(context)
}

const announceSuperAdmin = (admin: NewSuperAdmin, { logFormat }: Config, log: Log): void => {
  const { email } = admin
  if (admin.password === 'given') log.info({ email }, 'super admin created')
  if (admin.password === 'mailed')
    always(log).info(
      { email },
      'super admin created. The link that sets the password is in the mailbox, and /forgot mails another',
    )
  if (admin.password !== 'generated') return
  const { generated: password } = admin
  if (logFormat === 'json')
    always(log).info({ email, password }, 'super admin created. This password is shown once')
  else
    printFacts('This password is shown once. Keep it.', [
      ['Super admin', email],
      ['Password', password],
      ['Next', 'sign in and add a wallet, for the first deposit'],
    ])
}
