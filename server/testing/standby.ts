import { chownSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../base/configuration/config.ts'
import { type Database, openDatabase } from '../base/db/connection.ts'
import { addressAs, addressOf, startServer } from '../base/postgres/cluster.ts'
import { preparePostgresFiles } from '../base/postgres/files.ts'
import { runningServer, stopServer } from '../base/postgres/postmaster.ts'
import { openLog } from '../base/process/log.ts'
import type { TestDatabase } from './database.ts'
import { type Door, openDoor } from './door.ts'
import { connectTo, dataDirectory } from './process.ts'

/** A standby of a primary, both PostgreSQL servers of their own. */
export type Standby = {
  readonly door: Door
  /** The URL of the product's role, through the door. */
  readonly url: string
  /** The standby as its superuser. */
  readonly superuser: Database['pool']
  /** Statements of lists that the standby ran so far. */
  readonly statements: () => number
  /** Waits until it has replayed what the primary has written. */
  readonly catchUp: () => Promise<void>
  readonly kill: () => void
  readonly restart: () => Promise<void>
}

const filesOf = ({ dataDir }: { readonly dataDir: string }) =>
  preparePostgresFiles(dataDir, () => undefined)

/** Logs each statement, and lets recovery cancel reads at once. */
const SETTINGS = { log_statement: 'all', max_standby_streaming_delay: '0' }

/**
 * Starts a primary and its standby from a prepared data directory. Two copies of one cluster at
 * rest are the same to the byte.
 */
export const startReplication = async (prepared: string) => {
  const [home, away] = [dataDirectory(prepared), dataDirectory(prepared)]
  const config = readConfig({ DATA_DIR: home.dataDir })
  const database = await openDatabase(config, { log: openLog('silent'), role: 'operator' })
  const primary = connectTo(home)

  const files = filesOf(away)
  const signal = join(files.cluster, 'standby.signal')
  writeFileSync(signal, '')
  if (files.identity) chownSync(signal, files.identity.uid, files.identity.gid)
  const { host, port, user, password } = addressOf(filesOf(home))
  const primary_conninfo = `host=${host} port=${port} user=${user} password=${password}`
  const start = () => startServer(files, { ...SETTINGS, primary_conninfo })
  await start()
  const copy = connectTo(away)
  const app = addressAs(files, 'pool_app')
  const door = await openDoor(app)
  const way = await openDoor(addressAs(filesOf(home), 'pool_app'))
  const urlThrough = (to: Door) =>
    `postgres://${app.user}:${app.password}@127.0.0.1:${to.port}/pool`

  const standby: Standby = {
    door,
    url: urlThrough(door),
    superuser: copy.pool,
    statements: () =>
      readFileSync(files.logFile, 'utf8').match(
        /(?:execute|statement)[^\n]*: *(?:\(?select|DECLARE)/g,
      )?.length ?? 0,
    catchUp: async () => {
      const { rows } = await primary.pool.query('SELECT pg_current_wal_lsn() AS written')
      const isThere = 'SELECT pg_last_wal_replay_lsn() >= $1 AS there'
      while (!(await copy.pool.query(isThere, [rows[0].written])).rows[0].there);
    },
    kill: () => process.kill(runningServer(files) ?? 0, 'SIGQUIT'),
    restart: async () => void (await start()),
  }
  const both: TestDatabase = {
    ...database,
    superuser: primary.pool,
    close: async () => {
      for (const each of [door, way]) each.close()
      await Promise.all([copy.close(), primary.close()])
      await database.close()
      const server = runningServer(files)
      if (server !== undefined) await stopServer(server)
      for (const directory of [home, away]) await directory.remove()
    },
  }
  return { database: both, primaryUrl: urlThrough(way), standby }
}
