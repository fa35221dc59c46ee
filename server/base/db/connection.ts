import { Kysely } from 'kysely'
import pg from 'pg'
import type { Config } from '../configuration/config.ts'
import type { Address } from '../postgres/cluster.ts'
import { borrowEmbedded, startEmbedded } from '../postgres/embedded.ts'
import { DATABASE } from '../postgres/ownership.ts'
import type { Log } from '../process/log.ts'
import { dialectOn } from './dialect.ts'
import { READ_ONLY } from './errors.ts'
import { primaryOnly, repeatAttempts, towards } from './hosts.ts'
import { type Outages, WRITES, watchOutages } from './outages.ts'
import type { Schema } from './schema.ts'

/** An open database: a pool for raw SQL, and Kysely on it. Both connect as the product's role. */
export type Database = {
  readonly pool: pg.Pool
  readonly db: Kysely<Schema>
  /**
   * Pool of connections that keep a session, for what listens to changes. Connects at its first
   * query, and parses bigint as text.
   */
  readonly direct: pg.Pool
  /** Opens connections like those of `direct` for one runner of jobs, which cuts them itself. */
  readonly openRunnerPool: () => CutPool
  /** Like `db`, on connections that only jobs use that wait for servers of others. */
  readonly outside: Kysely<Schema>
  /**
   * Pool of connections that keep a session for a lock, as of a network that is followed. Connects
   * at its first query.
   */
  readonly locks: pg.Pool
  /**
   * Pool of the role that owns the tables, for migrations. Equals `direct` with a single role.
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
/** Longest wait for a free connection. Then the response is a 503. */
const CONNECTION_TIMEOUT_MS = 10_000
/** One listens to changes. The others are taken briefly, by a migration with a single role, too. */
const DIRECT_CONNECTIONS = 3
/** One shows that the runner lives, one listens to new jobs; the others are taken briefly. */
const RUNNER_CONNECTIONS = 4
/** Outside jobs take them briefly. */
const OUTSIDE_CONNECTIONS = 3
/** One for each network, and one that is spare. */
const LOCK_CONNECTIONS = 6
/** A migration needs one, and one holds its lock. */
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
    return connect({ connectionString: databaseUrl }, databasePoolSize, log, {
      ...directWay(config),
      ...(databaseOwnerUrl !== undefined && { owner: { connectionString: databaseOwnerUrl } }),
    })
  const { app, owner, stop } = await ways[role](config.dataDir, { log, archive: config.walArchive })
  const database = connect({ ...app, database: DATABASE }, databasePoolSize, log, {
    owner: { ...owner, database: DATABASE },
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

const directWay = ({ databaseDirectUrl }: Config): Others =>
  databaseDirectUrl === undefined ? {} : { direct: { connectionString: databaseDirectUrl } }

/** Opens the primary process's database, as the product's role only. */
export const joinDatabase = (config: Config, address: Address | undefined, log: Log): Database =>
  connect(
    address ? { ...address, database: DATABASE } : { connectionString: config.databaseUrl },
    config.databasePoolSize,
    log,
    directWay(config),
  )

/** Addresses that differ: past a pooler, and of the tables' owner. */
type Others = { readonly direct?: pg.PoolConfig; readonly owner?: pg.PoolConfig }

/** Connects to a running PostgreSQL. With `direct`, `address` may lead through a pooler. */
export const connect = (
  address: pg.PoolConfig,
  size: number,
  log: Log,
  others: Others = {},
): Database => {
  const outages = watchOutages(log, () => takesWrites(pool))
  const open = (to: pg.PoolConfig, max: number): pg.Pool => {
    const opened = openPool({ ...to, max })
    // The next query replaces a dropped idle connection. Without a listener the process would exit.
    opened.on('error', (err) => void (opened.ending || outages.failed('connections', err)))
    repeatAttempts(opened)
    return opened
  }
  const openAt = (max: number): pg.Pool => {
    const opened = open({ ...address, ...(!others.direct && SESSION), types }, max)
    if (others.direct) opened.on('connect', forgetNames)
    return opened
  }
  const [pool, outside] = [openAt(size), openAt(OUTSIDE_CONNECTIONS)]
  // The jobs' library writes job ids as JSON, so it must not parse bigint.
  const sessions = { ...(others.direct ?? address), ...SESSION }
  const direct = open(sessions, DIRECT_CONNECTIONS)
  const locks = open({ ...sessions, types }, LOCK_CONNECTIONS)
  const owner = others.owner
    ? open({ ...others.owner, ...SESSION, types }, OWNER_CONNECTIONS)
    : direct
  return {
    pool,
    db: new Kysely<Schema>({ dialect: dialectOn(pool) }),
    direct,
    openRunnerPool: () => cutPool(open(sessions, RUNNER_CONNECTIONS)),
    outside: new Kysely<Schema>({ dialect: dialectOn(outside) }),
    locks,
    owner,
    outages,
    address: undefined,
    close: async () => {
      const all = new Set([pool, outside, direct, locks, owner])
      await Promise.all([...all].map((each) => each.end()))
    },
  }
}

/** A pool whose connections can all be cut, also those that wait for an answer. */
export type CutPool = { readonly pool: pg.Pool; readonly cut: () => void }

const cutPool = (pool: pg.Pool): CutPool => {
  const clients = new Set<pg.PoolClient>()
  pool.on('connect', (client) => void clients.add(client))
  pool.on('remove', (client) => void clients.delete(client))
  return {
    pool,
    cut: () => {
      if (!pool.ending) void pool.end().catch(() => undefined)
      for (const { connection } of clients) connection.stream.destroy()
    },
  }
}

const takesWrites = async (pool: pg.Pool): Promise<boolean> => {
  const { rows } = await pool.query<{ readOnly: boolean }>(`SELECT ${WRITES}`)
  return rows[0]?.readOnly === false
}

/**
 * Settings of a session; a pooler's have them from their role. Dates arrive as ISO texts. JIT would
 * compile the statements of each posting anew: a deposit took 185 ms in place of 5.
 */
const SESSION: pg.PoolConfig = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  options: '-c jit=off -c datestyle=iso',
}

const COMMON: pg.PoolConfig = {
  // Statements that need no answer of one another share a round trip.
  pipeline: true,
  application_name: 'peer-lending-pool',
  keepAlive: true,
}

const openPool = (address: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool({
    ...primaryOnly({ ...address, ...COMMON }),
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  })
  // A connection that drops in use fails its query, so this event needs no handling.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('connect', dropUnreplicated)
  pool.on('connect', dropReadOnly)
  return pool
}

/** Longest wait for a connection to the replica. The primary then answers in its place. */
const REPLICA_CONNECTION_TIMEOUT_MS = 2_000
/** More than lists may be streamed at once (`http/streaming.ts`). */
const REPLICA_CONNECTIONS = 10

/** A pool of connections to the hosts that `admit` accepts, for reads that may lag. */
export const openReplicaPool = (
  connectionString: string,
  admit: (client: pg.ClientBase) => Promise<void>,
): pg.Pool => {
  const pool = new pg.Pool({
    ...towards({ connectionString, ...SESSION, ...COMMON, types }, admit),
    max: REPLICA_CONNECTIONS,
    connectionTimeoutMillis: REPLICA_CONNECTION_TIMEOUT_MS,
  })
  // A dropped connection fails its query. An idle one is replaced.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  return pool
}

/** A named statement stays in a session, which a pooler gives to others. */
const forgetNames = (client: pg.PoolClient): void => {
  const query: (...asked: unknown[]) => unknown = client.query.bind(client)
  Object.assign(client, {
    query: (config: unknown, ...others: unknown[]) =>
      query(
        typeof config === 'object' && config !== null && 'text' in config
          ? { ...config, name: undefined }
          : config,
        ...others,
      ),
  })
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
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? BigInt
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}
