import type { ChildProcess } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log.ts'
import { type Address, addressOf, initialiseCluster, runningServer, startServer, stopServer, waitForServer } from './cluster.ts'
import { type PostgresFiles, preparePostgresFiles } from './postgresFiles.ts'

/** The product's own PostgreSQL, while it is in use. */
export type Embedded = { readonly address: Address; readonly stop: () => Promise<void> }

type Options = { readonly log: Log; readonly settings?: Readonly<Record<string, string>> }

/** The advisory lock that a living product holds in its database: it ends with its connection, so it cannot outlive the product. */
const PRODUCT_LOCK = 7_031_984

/**
 * Starts the embedded PostgreSQL for the product, and starts it again should it die. A server that a killed product left behind is stopped
 * and started anew: PostgreSQL recovers what was committed. Throws when another living product uses the same data directory.
 */
export const startEmbedded = async (dataDir: string, { log, settings = {} }: Options): Promise<Embedded> => {
  const files = preparePostgresFiles(dataDir, (message) => log.warn(message))
  await initialiseCluster(files)
  await endAbandonedServer(files, log)

  let server = await startServer(files, settings)
  let claim = await claimData(files)
  if (!claim) throw inUse(files, undefined)
  let stopping = false

  const keepAlive = (started: ChildProcess): void => {
    started.once('exit', async (code, signal) => {
      while (!stopping) {
        log.error({ code, signal }, 'the embedded database ended by itself; starting it again')
        try {
          await claim?.end().catch(() => undefined)
          server = await startServer(files, settings)
          claim = await claimData(files)
          return keepAlive(server)
        } catch (err) {
          log.error({ err }, 'the embedded database did not start again')
          await wait(1_000)
        }
      }
    })
  }
  keepAlive(server)

  return {
    address: addressOf(files),
    stop: async () => {
      stopping = true
      await claim?.end().catch(() => undefined)
      if (server.pid !== undefined) await stopServer(server.pid)
    },
  }
}

/** Uses the embedded PostgreSQL for one command: the running one where the product runs, else one that is started for it. */
export const borrowEmbedded = async (dataDir: string, options: Options): Promise<Embedded> => {
  const files = preparePostgresFiles(dataDir, (message) => options.log.warn(message))
  if (runningServer(files) !== undefined && (await waitForServer(files))) return { address: addressOf(files), stop: async () => undefined }
  return startEmbedded(dataDir, options)
}

/** Stops a server without a product. Throws when the product that it belongs to lives. */
const endAbandonedServer = async (files: PostgresFiles, log: Log): Promise<void> => {
  const processId = runningServer(files)
  // A process that does not answer as our server has merely inherited its number: PostgreSQL sorts that out by itself.
  if (processId === undefined || !(await waitForServer(files))) return
  const claim = await claimData(files)
  if (!claim) throw inUse(files, await holderOf(files))
  log.warn({ processId }, 'the database of a product that was killed still runs: stopping it before starting anew')
  await claim.end()
  await stopServer(processId)
}

const inUse = ({ home }: PostgresFiles, holder: string | undefined): Error =>
  new Error(
    `The data directory ${home} is in use by another running product${holder ? ` (process ${holder})` : ''}. ` +
      'Nothing was changed. Stop that one first, or set DATA_DIR to another directory.',
  )

const connect = async (files: PostgresFiles): Promise<pg.Client> => {
  const client = new pg.Client({ ...addressOf(files), database: 'postgres', application_name: `product ${process.pid}`, keepAlive: true })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** A connection that holds the product's lock; undefined when another one holds it. */
const claimData = async (files: PostgresFiles): Promise<pg.Client | undefined> => {
  const client = await connect(files)
  const { rows } = await client.query<{ claimed: boolean }>('SELECT pg_try_advisory_lock($1) AS claimed', [PRODUCT_LOCK])
  if (rows[0]?.claimed) return client
  await client.end()
  return undefined
}

const holderOf = async (files: PostgresFiles): Promise<string | undefined> => {
  const client = await connect(files)
  const { rows } = await client.query<{ name: string }>(
    "SELECT application_name AS name FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE locktype = 'advisory' AND granted AND objid = $1",
    [PRODUCT_LOCK],
  )
  await client.end()
  return rows[0]?.name.replace('product ', '')
}
