import type { Config } from '../../base/configuration/config.ts'
import { hostInUrl } from '../../base/configuration/environment.ts'
import type { Database } from '../../base/db/connection.ts'
import { requireLeastPrivilege } from '../../base/db/leastPrivilege.ts'
import { migrate } from '../../base/db/migrate.ts'
import { requireSessions } from '../../base/db/pooler.ts'
import type { Lifecycle } from '../../base/process/lifecycle.ts'
import type { Log } from '../../base/process/log.ts'
import type { WhenStopped } from '../../base/process/stopping.ts'
import { printFacts } from '../../base/process/terminal.ts'
import { migrateJobs } from '../jobs/migrateJobs.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { serveMetrics } from '../telemetry/serveMetrics.ts'

/**
 * Steps of a start that the first process and those that serve share. It loads nothing that only
 * serves, as the first process of several would hold it for nothing.
 */

export type Start = {
  readonly config: Config
  readonly log: Log
  readonly lifecycle: Lifecycle
  readonly whenStopped: WhenStopped
}

export const migrateAll = async (database: Database, config: Config, log: Log): Promise<void> => {
  await requireSessions(database, config.databaseDirectUrl !== undefined)
  await requireLeastPrivilege(database, config, log)
  const applied = await migrate(database)
  await migrateJobs(database)
  if (applied.length > 0) log.info({ applied }, 'database migrated')
}

type MetricsPort = Pick<Start, 'log' | 'whenStopped'> & {
  readonly at: NonNullable<Config['metrics']>
}

export const openMetricsPort = async (
  metrics: Pick<Metrics, 'text'>,
  { log, whenStopped, at }: MetricsPort,
): Promise<void> => {
  const { port, close } = await serveMetrics(metrics, at)
  whenStopped('the metrics', close)
  log.info({ host: at.host, port }, 'metrics are served')
}

/** A log that shows a line at every level of the product's log. */
export const always = (log: Log): Log => log.child({}, { level: 'info' })

export const announce = ({
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
