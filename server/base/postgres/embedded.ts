import type { ChildProcess } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { LOCKS } from '../locks.ts'
import type { Log } from '../process/log.ts'
import { archiveSettings, prepareArchive } from './archive.ts'
import {
  type Address,
  addressAs,
  addressOf,
  initialiseCluster,
  serverAnswers,
  startServer,
} from './cluster.ts'
import { holdsCluster, type PostgresFiles, preparePostgresFiles } from './files.ts'
import { ensureRoles } from './ownership.ts'
import { runningServer, stopServer } from './postmaster.ts'

/** The embedded PostgreSQL while the product uses it. */
export type Embedded = {
  readonly app: Address
  readonly owner: Address
  readonly stop: () => Promise<void>
}

type Settings = Readonly<Record<string, string>>
type Options = {
  readonly log: Log
  /** Directory of the write-ahead log archive. Undefined turns archiving off. */
  readonly archive?: string | undefined
  readonly settings?: Settings
}
/** Options of the first start, kept for restarts. */
type Start = { readonly log: Log; readonly settings: Settings }

/** The connection that holds the product's lock. */
type Claim = { readonly client: pg.Client; readonly lost: Promise<void> }

/** Milliseconds before a lost database is tried again. Doubles up to the limit. */
const RETRY = 100
const RETRY_LIMIT = 5_000

/**
 * Starts the embedded PostgreSQL, and restarts it if it dies. Replaces a killed product's server.
 * Throws when another living product uses the data directory.
 */
export const startEmbedded = async (
  dataDir: string,
  { log, archive, settings: more = {} }: Options,
): Promise<Embedded> => {
  const files = preparePostgresFiles(dataDir, (message) => log.warn(message))
  if (archive !== undefined) prepareArchive(archive, files.identity)
  const settings = { ...archiveSettings(archive), ...more }
  await initialiseCluster(files)
  await endAbandonedServer(files, log)
  const server = await startServer(files, settings)
  const claim = await claimData(files)
  if (!claim) throw inUse(files, undefined)
  try {
    await ensureRoles(files)
  } catch (error) {
    await claim.client.end()
    const processId = runningServer(files)
    if (processId !== undefined) await stopServer(processId)
    throw error
  }
  const stopKeeping = keepRunning(files, { log, settings }, { server, claim })

  // Stops the database at every exit except a kill.
  const stopAtExit = () => {
    const processId = runningServer(files)
    if (processId !== undefined) process.kill(processId, 'SIGINT')
  }
  process.once('exit', stopAtExit)

  return {
    ...addressesOf(files),
    stop: async () => {
      await stopKeeping()
      const processId = runningServer(files)
      if (processId !== undefined) await stopServer(processId)
      process.off('exit', stopAtExit)
    },
  }
}

/**
 * Takes a lost lock again, and restarts the server if that ended. Returns a function that stops
 * this. PostgreSQL also drops every connection, and so the lock, when one of its processes crashes.
 */
const keepRunning = (
  files: PostgresFiles,
  { log, settings }: Start,
  first: { server: ChildProcess; claim: Claim },
) => {
  let { server, claim } = first
  let stopping = false

  const recover = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) {
      log.error(
        { code: server.exitCode, signal: server.signalCode },
        'embedded database exited unexpectedly; restarting it',
      )
      server = await startServer(files, settings)
    }
    const next = await claimData(files)
    if (!next) throw inUse(files, await holderOf(files))
    claim = next
  }

  const recoverUntilDone = async (): Promise<void> => {
    for (let pause = RETRY; !stopping; pause = Math.min(2 * pause, RETRY_LIMIT)) {
      try {
        return await recover()
      } catch (err) {
        log.warn({ err }, 'embedded database is not back yet')
        await wait(pause)
      }
    }
  }

  const keeping = (async () => {
    while (!stopping) {
      await claim.lost
      await recoverUntilDone()
    }
  })()

  return async (): Promise<void> => {
    stopping = true
    await claim.client.end()
    await keeping
    // A recovery under way has taken the lock again.
    await claim.client.end()
  }
}

/**
 * Lends the embedded PostgreSQL to one command. Starts it unless the product already runs it.
 * Throws when there is none, since only a first start and a restore make one.
 */
export const borrowEmbedded = async (dataDir: string, options: Options): Promise<Embedded> => {
  if (!holdsCluster(dataDir)) throw new Error(`There is no database in ${dataDir}.`)
  const files = preparePostgresFiles(dataDir, (message) => options.log.warn(message))
  if (await serverAnswers(files)) return { ...addressesOf(files), stop: async () => undefined }
  return startEmbedded(dataDir, options)
}

const addressesOf = (files: PostgresFiles) => ({
  app: addressAs(files, 'pool_app'),
  owner: addressAs(files, 'pool_owner'),
})

/** Stops a killed product's server. Throws when its product lives. */
const endAbandonedServer = async (files: PostgresFiles, log: Log): Promise<void> => {
  if (!(await serverAnswers(files))) return
  const processId = runningServer(files)
  const claim = await claimData(files)
  if (!claim) throw inUse(files, await holderOf(files))
  try {
    if (processId === undefined)
      throw new Error(
        `A database in another container uses ${files.home}. Nothing was changed. Stop that container first.`,
      )
    log.warn({ processId }, 'database of a killed product still runs; stopping it first')
    // Holds the lock until the server is down, so that no other start takes it.
    await stopServer(processId)
  } finally {
    await claim.client.end()
  }
}

const inUse = ({ home }: PostgresFiles, holder: string | undefined): Error =>
  new Error(
    `The data directory ${home} is in use by another running product${holder ? ` (process ${holder})` : ''}. ` +
      'Nothing was changed. Stop that product first, or set DATA_DIR to another directory.',
  )

const connect = async (files: PostgresFiles): Promise<pg.Client> => {
  const client = new pg.Client({
    ...addressOf(files),
    database: 'postgres',
    application_name: `product ${process.pid}`,
    keepAlive: true,
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Takes the product's lock. Undefined when another product holds it. */
const claimData = async (files: PostgresFiles): Promise<Claim | undefined> => {
  const client = await connect(files)
  const lost = new Promise<void>((resolve) => client.once('end', resolve))
  const { rows } = await client.query<{ claimed: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS claimed',
    [LOCKS.product],
  )
  if (rows[0]?.claimed) return { client, lost }
  await client.end()
  return undefined
}

const holderOf = async (files: PostgresFiles): Promise<string | undefined> => {
  const client = await connect(files)
  const { rows } = await client.query<{ name: string }>(
    "SELECT application_name AS name FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE locktype = 'advisory' AND granted AND objid = $1",
    [LOCKS.product],
  )
  await client.end()
  return rows[0]?.name.replace('product ', '')
}
