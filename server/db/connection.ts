import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Config } from '../config.ts'
import type { Address } from '../postgres/cluster.ts'
import { borrowEmbedded, startEmbedded } from '../postgres/embedded.ts'
import { DATABASE } from '../postgres/ownership.ts'
import type { Log } from '../process/log.ts'
import { READ_ONLY } from './errors.ts'
import { type Outages, WRITES, watchOutages } from './outages.ts'
import type { Schema } from './schema.ts'

/** An open database: a pool for raw SQL, and Kysely on it. Both connect as the product's role. */
export type Database = {
  readonly pool: pg.Pool
  readonly db: Kysely<Schema>
  /**
   * Pool of the role that owns the tables, for migrations. Equals `pool` with a single role.
   * Connects at its first query.
   */
  readonly owner: pg.Pool
  readonly outages: Outages
  /** Connection settings of the embedded database, for the product's other processes. */
  readonly address: Address | undefined
  /** Closes the connections, and stops the embedded PostgreSQL if this call started it. */
  readonly close: () => Promise<void>
}

const STATEMENT_TIMEOUT_MS = 60_000
/** At this timeout, the response is a 503. */
const CONNECTION_TIMEOUT_MS = 10_000
/** Migrations need one connection. */
const OWNER_CONNECTIONS = 2

/**
 * Opens the database at `DATABASE_URL`, else the embedded PostgreSQL. `server` owns the embedded
 * one and refuses to share it. `operator` borrows it or starts it.
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

/** Opens the primary process's database, as the product's role only. */
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
  const outages = watchOutages(log, () => takesWrites(pool))
  const onLost = (pool: pg.Pool) => (err: Error) =>
    void (pool.ending || outages.failed('connections', err))
  const pool = openPool(address, size, onLost)
  const owner = ownerAddress ? openPool(ownerAddress, OWNER_CONNECTIONS, onLost) : pool
  return {
    pool,
    db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
    owner,
    outages,
    address: undefined,
    close: async () => {
      await pool.end()
      if (owner !== pool) await owner.end()
    },
  }
}

const takesWrites = async (pool: pg.Pool): Promise<boolean> => {
  const { rows } = await pool.query<{ readOnly: boolean }>(`SELECT ${WRITES}`)
  return rows[0]?.readOnly === false
}

type OnLost = (pool: pg.Pool) => (err: Error) => void

const openPool = (address: pg.PoolConfig, size: number, onLost: OnLost): pg.Pool => {
  const pool = new pg.Pool({
    ...address,
    max: size,
    // Statements that need no answer of one another share a round trip.
    pipeline: true,
    application_name: 'peer-lending-pool',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  })
  // The next query replaces a dropped idle connection. Without a listener the process would exit.
  pool.on('error', onLost(pool))
  // A connection that drops in use fails its query, so this event needs no handling.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('connect', dropUnreplicated)
  pool.on('connect', dropReadOnly)
  return pool
}

/** SQLSTATE of a warning without a code of its own. Nothing of ours raises one. */
const WARNING = '01000'
/** SQLSTATE of a transaction whose end is unknown. */
const OUTCOME_UNKNOWN = '08007'

/** Fails what waits on a connection with this error. The pool then opens another. */
const drop = ({ connection }: pg.Client, message: string, code: string): void => {
  connection.emit('error', Object.assign(new Error(message), { code }))
}

/**
 * Waits at most this many milliseconds for a commit. Then the connection is dropped, and the commit
 * is as unknown as after a lost one. The server may still wait for a standby.
 */
export const boundCommit = async <T>(
  client: pg.PoolClient,
  timeout: number,
  committing: Promise<T>,
): Promise<T> => {
  const late = setTimeout(
    () => drop(client, `no answer to a commit within ${timeout} ms`, OUTCOME_UNKNOWN),
    timeout,
  )
  try {
    return await committing
  } finally {
    clearTimeout(late)
  }
}

/**
 * Fails a connection whose wait for a standby was cut short. PostgreSQL then commits on its own
 * machine alone and only warns, so the commit is as unknown as after a lost connection.
 */
const dropUnreplicated = (client: pg.PoolClient): void => {
  client.on('notice', ({ code, message }) => {
    if (code === WARNING) drop(client, message ?? '', OUTCOME_UNKNOWN)
  })
}

/** Leaves a server that takes no writes, as a former primary after a fail-over. */
const dropReadOnly = (client: pg.Client): void => {
  client.connection.on('errorMessage', ({ code, message }: pg.DatabaseError) => {
    // After the refused statement got its own error.
    if (code === READ_ONLY) process.nextTick(() => drop(client, message, READ_ONLY))
  })
}

// Parses int8 as bigint, so that cents and counts stay exact.
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format)
