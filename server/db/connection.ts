import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { borrowEmbedded, type Embedded, joinEmbedded, startEmbedded } from './embedded.ts'
import type { Schema } from './schema.ts'

/** An open database: the pool for whole SQL calls, Kysely on the same pool for typed queries. */
export type Database = {
  readonly pool: pg.Pool
  readonly db: Kysely<Schema>
  /** Closes the connections, and stops the embedded PostgreSQL if this started it. */
  readonly close: () => Promise<void>
}

/** The database of the product in the embedded PostgreSQL. */
const DATABASE = 'pool'
/** A statement that runs longer than this many milliseconds has gone wrong. */
const STATEMENT_TIMEOUT = 60_000
/** How long a caller waits for a connection, in milliseconds, before the answer is 503. */
const CONNECTION_TIMEOUT = 10_000

/**
 * Opens the configured database: the one at `DATABASE_URL`, else the embedded PostgreSQL. The `server` owns the embedded one and refuses to
 * share it with another; a `worker` uses its server's; an `operator` command uses the running one, or one started for the moment.
 */
export const openDatabase = async (config: Config, { log, role }: { log: Log; role: keyof typeof ways }): Promise<Database> => {
  if (config.databaseUrl !== undefined) return connect({ connectionString: config.databaseUrl }, config.databasePoolSize, log)
  const embedded = await ways[role](config.dataDir, { log, archive: config.walArchive })
  try {
    await ensureDatabase(embedded)
    const database = connect({ ...embedded.address, database: DATABASE }, config.databasePoolSize, log)
    return {
      ...database,
      close: async () => {
        await database.close()
        await embedded.stop()
      },
    }
  } catch (error) {
    await embedded.stop()
    throw error
  }
}

const ways = { server: startEmbedded, worker: joinEmbedded, operator: borrowEmbedded }

/** Connects to a running PostgreSQL. */
export const connect = (address: pg.PoolConfig, size: number, log: Log): Database => {
  const pool = new pg.Pool({
    ...address,
    max: size,
    application_name: 'peer-lending-pool',
    statement_timeout: STATEMENT_TIMEOUT,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    keepAlive: true,
    types: { getTypeParser },
  })
  // An idle connection that drops is replaced by the next query; it must not end the process.
  pool.on('error', ({ message }) => pool.ending || log.warn({ reason: message }, 'a database connection was lost'))
  // A connection that drops while it is in use tells its user by failing the query; the event itself needs no more.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return { pool, db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }), close: () => pool.end() }
}

// int8 is read as bigint: cents and counts stay exact.
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format)

const ensureDatabase = async ({ address }: Embedded): Promise<void> => {
  const client = new pg.Client({ ...address, database: 'postgres' })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`)
  } finally {
    await client.end()
  }
}
