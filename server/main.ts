import { type Config, readConfig } from './base/configuration/config.ts'
import { FULL_DAY_SECONDS } from './base/configuration/environment.ts'
import { type Database, openDatabase } from './base/db/connection.ts'
import { openLifecycle } from './base/process/lifecycle.ts'
import { type Log, openOutput, quietOnTerminal } from './base/process/log.ts'
import { environmentToServe, userToServe } from './base/process/privileges.ts'
import { stopOnSignal } from './base/process/stopping.ts'
import type { Identity } from './base/process/systemUser.ts'
import { isWorker, startWorkers } from './base/process/workers.ts'
import { announce, migrateAll, openMetricsPort, type Start } from './operator/start/begin.ts'
import { configOfPool } from './records/mode/mode.ts'

/** A process that serves loads this, and no other does. */
const serving = () => import('./operator/start/serve.ts')

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
    await (isWorker ? (await serving()).serveAsWorker(start) : begin(start))
  } catch (error) {
    // A stop breaks a running start, and decides the exit code.
    if (lifecycle.stage() !== 'stopping') throw error
  }
}

const begin = async (start: Start): Promise<void> => {
  const { config, log, whenStopped } = start
  warnAboutDemonstration(config, log)
  warnAboutOperator(config, log)
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
      : (await serving()).serve({ ...start, database: await opening }))
  } finally {
    // Waits for a database that is still starting, so that it is not left running.
    await opening.catch(() => undefined)
  }
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

const warnAboutDemonstration = ({ daySeconds }: Config, log: Log): void => {
  if (daySeconds !== FULL_DAY_SECONDS)
    log.warn(
      { daySeconds },
      `AN INVESTMENT DAY LASTS ${daySeconds} SECONDS: for demonstrations and tests only`,
    )
}

const warnAboutOperator = ({ poolMode, termsUrl, privacyUrl }: Config, log: Log): void => {
  if (poolMode === 'live' && (termsUrl === '' || privacyUrl === ''))
    log.warn('visitors look for OPERATOR_NAME, TERMS_URL and PRIVACY_URL: please set them')
}

try {
  await main()
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n\n`)
  process.exit(1)
}
