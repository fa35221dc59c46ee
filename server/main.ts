import { ensureSuperAdmin, type NewSuperAdmin } from './accounts/users/ensureSuperAdmin.ts'
import { type Config, readConfig } from './base/configuration/config.ts'
import { FULL_DAY_SECONDS, hostInUrl } from './base/configuration/environment.ts'
import { type Database, joinDatabase, openDatabase } from './base/db/connection.ts'
import { requireLeastPrivilege } from './base/db/leastPrivilege.ts'
import { migrate } from './base/db/migrate.ts'
import { requireSessions } from './base/db/pooler.ts'
import { openReplica } from './base/db/replica.ts'
import { openKeys } from './base/keys/keyFile.ts'
import type { Address } from './base/postgres/cluster.ts'
import { type Lifecycle, openLifecycle } from './base/process/lifecycle.ts'
import { type Log, openOutput, quietOnTerminal } from './base/process/log.ts'
import { environmentToServe, userToServe } from './base/process/privileges.ts'
import { stopOnSignal, type WhenStopped } from './base/process/stopping.ts'
import type { Identity } from './base/process/systemUser.ts'
import { printFacts } from './base/process/terminal.ts'
import { TIMEOUTS } from './base/process/timeouts.ts'
import { askPrimary, isWorker, sendReady, startWorkers } from './base/process/workers.ts'
import { openSessionLookup } from './base/sessions/lookup.ts'
import { requireNodes } from './chain/nodes/requireNodes.ts'
import { openHub } from './http/changes/hub.ts'
import type { OnLedger, WithConfig } from './http/context.ts'
import { makeMonths } from './ledger/archive/months.ts'
import { openLedger } from './ledger/engine/ledger.ts'
import { openPlans } from './ledger/families/knownPlans.ts'
import { setLimits } from './money/brakes/limits.ts'
import { fundSandbox } from './money/reserve/fundSandbox.ts'
import { buildApp, type Served } from './operator/app.ts'
import { startJobs } from './operator/jobs/jobs.ts'
import { migrateJobs } from './operator/jobs/migrateJobs.ts'
import type { Metrics } from './operator/telemetry/metrics.ts'
import { serveMetrics } from './operator/telemetry/serveMetrics.ts'
import { startSealing } from './records/audit/seal.ts'
import { configOfPool, recordOrVerifyMode } from './records/mode/mode.ts'

const main = async (): Promise<void> => {
  const config = readConfig(process.env)
  const log = openOutput(config)
  const lifecycle = openLifecycle()
  // Workers get less time, since the primary waits for them.
  const limit = config.stopSeconds * (isWorker ? 0.8 : 1)
  const whenStopped = stopOnSignal({
    // The primary tells of the stop.
    log: isWorker ? quietOnTerminal(log, config) : log,
    lifecycle,
    drain: config.drainSeconds,
    limit,
  })
  const start = { config, log, lifecycle, whenStopped }
  try {
    await (isWorker ? serveAsWorker(start) : begin(start))
  } catch (error) {
    // A stop breaks a running start, and decides the exit code.
    if (lifecycle.stage() !== 'stopping') throw error
  }
}

const serveAsWorker = async (start: Start): Promise<void> => {
  const database = joinDatabase(
    start.config,
    await askPrimary<Address | undefined>('database'),
    start.log,
  )
  start.whenStopped('the database', database.close)
  await serve({ ...start, database })
}

const begin = async (start: Start): Promise<void> => {
  const { config, log, whenStopped } = start
  warnAboutDemonstration(config, log)
  const opening = openDatabase(config, { log, role: 'server' })
  // A failed open leaves no connection to close.
  const close = () =>
    opening.then(
      (database) => database.close(),
      () => undefined,
    )
  whenStopped('the database', close)
  try {
    const user = userToServe(config, log)
    await (config.workers > 1 || user
      ? runPrimary({ ...start, opening, user })
      : serve({ ...start, database: await opening }))
  } finally {
    // Waits for a database that is still starting, so that it is not left running.
    await opening.catch(() => undefined)
  }
}

type Start = {
  readonly config: Config
  readonly log: Log
  readonly lifecycle: Lifecycle
  readonly whenStopped: WhenStopped
}
type Primary = Omit<Start, 'lifecycle'> & {
  readonly opening: Promise<Database>
  readonly user: Identity | undefined
}

/**
 * Runs the database, and starts workers that serve one port and share the jobs. Started by root, it
 * stays root for the database and serves no requests itself.
 */
const runPrimary = async ({ config, log, whenStopped, opening, user }: Primary): Promise<void> => {
  const ofPool = opening.then((database) => configOfPool(database, process.env))
  const migrated = ofPool.then(async (known) => migrateAll(await opening, known, log))
  const answers = {
    database: () => ofPool.then(async () => (await opening).address),
    migrated: () => migrated,
  }
  // The workers load while the database starts.
  const workers = startWorkers(config.workers, {
    log,
    user,
    answers,
    environment: environmentToServe(user),
  })
  whenStopped('the server processes', workers.stop)
  const [port] = await Promise.all([workers.ready, migrated])
  if (config.metrics && config.workers > 1) {
    const { textOfAll } = await import('./operator/telemetry/metrics.ts')
    await openMetricsPort({ text: textOfAll() }, { log, whenStopped, at: config.metrics })
  }
  announce({ config: await ofPool, log, port })
}

const serve = async ({
  log,
  lifecycle,
  whenStopped,
  database,
}: Omit<Start, 'config'> & { readonly database: Database }): Promise<void> => {
  const config = await configOfPool(database, process.env)
  const keys = openKeys(config)
  // Imported only on request, to keep the start fast.
  const metrics = config.metrics && (await import('./operator/telemetry/metrics.ts')).openMetrics()
  const tracing =
    config.traceEndpoint === undefined
      ? undefined
      : (await import('./operator/telemetry/tracing.ts')).startTracing(database.pool)
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

const migrateAll = async (database: Database, config: Config, log: Log): Promise<void> => {
  await requireSessions(database, config.databaseDirectUrl !== undefined)
  await requireLeastPrivilege(database, config, log)
  const applied = await migrate(database)
  await migrateJobs(database)
  if (applied.length > 0) log.info({ applied }, 'database migrated')
}

type MetricsPort = Pick<Start, 'log' | 'whenStopped'> & {
  readonly at: NonNullable<Config['metrics']>
}

const openMetricsPort = async (
  metrics: Pick<Metrics, 'text'>,
  { log, whenStopped, at }: MetricsPort,
): Promise<void> => {
  const { port, close } = await serveMetrics(metrics, at)
  whenStopped('the metrics', close)
  log.info({ host: at.host, port }, 'metrics are served')
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

/** A log that shows a line at every level of the product's log. */
const always = (log: Log): Log => log.child({}, { level: 'info' })

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

const announce = ({
  config,
  log,
  port,
}: Pick<Start, 'config' | 'log'> & { port: number }): void => {
  const { host, productName, poolMode, logFormat } = config
  const url = `http://${hostInUrl(host)}:${port}`
  if (logFormat === 'json') always(log).info(`${productName} (${poolMode}) is ready on ${url}`)
  else
    printFacts(`${productName} (${poolMode}) is ready after ${process.uptime().toFixed(1)} s`, [
      ['Address', url],
      ['Stop', 'Ctrl-C'],
    ])
}

const warnAboutDemonstration = ({ daySeconds }: Config, log: Log): void => {
  if (daySeconds !== FULL_DAY_SECONDS)
    log.warn(
      { daySeconds },
      `AN INVESTMENT DAY LASTS ${daySeconds} SECONDS: for demonstrations and tests only`,
    )
}

try {
  await main()
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n\n`)
  process.exit(1)
}
