import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Config } from '../config.ts'
import type { Address } from '../postgres/cluster.ts'
import { borrowEmbedded, startEmbedded } from '../postgres/embedded.ts'
import { DATABASE } from '../postgres/ownership.ts'
import type { Log } from '../process/log.ts'
import type { Schema } from './schema.ts'

/**
 * An open database: the pool for whole SQL calls, Kysely on the same pool for typed queries. Both
 * work as the product's role.
 */
export type Database = {
  readonly pool: pg.Pool
  readonly db: Kysely<Schema>
  /**
   * Works as the role that owns the tables, for migrations; the same as `pool` where there is but
   * one role. Connects when it is first asked.
   */
  readonly owner: pg.Pool
  /** How to reach the embedded one, for other processes of the product. */
  readonly address: Address | undefined
  /** Closes the connections, and stops the embedded PostgreSQL if this started it. */
  readonly close: () => Promise<void>
}

const STATEMENT_TIMEOUT_MS = 60_000
/** Then the answer is 503. */
const CONNECTION_TIMEOUT_MS = 10_000
/** Migrations need one. */
const OWNER_CONNECTIONS = 2

/**
 * Opens the configured database: the one at `DATABASE_URL`, else the embedded PostgreSQL. The
 * `server` owns the embedded one and refuses to share it with another; an `operator` command uses
 * the running one, or one started for the moment.
 */
export const openDatabase = async (
  config: Config,
  { log, role }: { log: Log; role: keyof typeof ways },
): Promise<Database> => {
  const { databaseUrl, databaseOwnerUrl, databasePoolSize } = config
  if (databaseUrl !== undefined)
    return connect(
      { connectionString: databaseUrl },
      databasePoolSize,
      log,
      databaseOwnerUrl === undefined ? undefined : { connectionString: databaseOwnerUrl },
    )
  const { app, owner, stop } = await ways[role](config.dataDir, { log, archive: config.walArchive })
  const database = connect({ ...app, database: DATABASE }, databasePoolSize, log, {
    ...owner,
    database: DATABASE,
  })
  return {
    ...database,
    address: app,
    close: async () => {
      await database.close()
      await stop()
    },
  }
}

const ways = { server: startEmbedded, operator: borrowEmbedded }

/**
 * Opens the database that the process which leads this one has opened, as the product's role alone.
 */
export const joinDatabase = (
  { databaseUrl, databasePoolSize }: Config,
  address: Address | undefined,
  log: Log,
): Database =>
  connect(
    address ? { ...address, database: DATABASE } : { connectionString: databaseUrl },
    databasePoolSize,
    log,
  )

/** Connects to a running PostgreSQL. */
export const connect = (
  address: pg.PoolConfig,
  size: number,
  log: Log,
  ownerAddress?: pg.PoolConfig,
): Database => {
  const pool = openPool(address, size, log)
  const owner = ownerAddress ? openPool(ownerAddress, OWNER_CONNECTIONS, log) : pool
  return {
    pool,
    db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
    owner,
    address: undefined,
    close: async () => {
      await pool.end()
      if (owner !== pool) await owner.end()
    },
  }
}

const openPool = (address: pg.PoolConfig, size: number, log: Log): pg.Pool => {
  const pool = new pg.Pool({
    ...address,
    max: size,
    application_name: 'peer-lending-pool',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  })
  // An idle connection that drops is replaced by the next query; it must not end the process.
  pool.on(
    'error',
    ({ message }) => pool.ending || log.warn({ reason: message }, 'a database connection was lost'),
  )
  // A connection that drops while it is in use tells its user by failing the query; the event
  // itself needs no more.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

// int8 is read as bigint: cents and counts stay exact.
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format)
