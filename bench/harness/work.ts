import { readdirSync, readFileSync } from 'node:fs'
import type { Pool } from 'pg'

/**
 * The work of one investment: processor time in microseconds, bytes and page images of the log, new
 * index entries. `commit` is the disk's time for one flush of the log, in milliseconds.
 */
export type Work = {
  readonly database: number
  readonly server: number
  readonly log: number
  readonly pageImages: number
  readonly indexEntries: number
  readonly commit: number
}

type Measured = {
  readonly port: () => number
  readonly pid: () => number
  readonly pool: () => Pool
}

/**
 * Measures the work of each of the operations that `during` makes, by default its new investments,
 * in all processes of the product. Counts everything that they do meanwhile.
 */
export const workOf = async <Result>(
  { pid, pool }: Measured,
  during: () => Promise<Result>,
  operations?: number,
): Promise<{ result: Result; work: Work }> => {
  await pool().query('ALTER SYSTEM SET track_wal_io_timing = on')
  await pool().query('SELECT pg_reload_conf()')
  const since = (await pool().query('SELECT pg_current_xact_id()::text AS id')).rows[0].id
  const before = await readings(pool(), pid(), since)
  const result = await during()
  const after = await readings(pool(), pid(), since)
  const grown = (name: keyof typeof after) => after[name] - before[name]
  const each = (name: keyof typeof after) => grown(name) / (operations ?? grown('investments'))
  return {
    result,
    work: {
      database: each('database'),
      server: each('server'),
      log: each('log'),
      pageImages: each('pageImages'),
      indexEntries: each('indexEntries'),
      commit: grown('flushTime') / grown('flushes'),
    },
  }
}

const readings = async (pool: Pool, server: number, since: string) => {
  await reportUpdates(pool)
  const { rows } = await pool.query(`
    SELECT (SELECT count(*) FROM investments)::float8 AS investments, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS log,
      wal_fpi::float8 AS "pageImages", flushes::float8, "flushTime"
    FROM pg_stat_wal, (
      SELECT sum(fsyncs) AS flushes, sum(fsync_time) AS "flushTime" FROM pg_stat_io WHERE object = 'wal' AND context = 'normal'
    ) AS io`)
  const read: {
    investments: number
    log: number
    pageImages: number
    flushes: number
    flushTime: number
  } = rows[0]
  const postmaster = await postmasterOf(pool)
  return {
    ...read,
    indexEntries: await indexEntries(pool, since),
    database: processorTime(postmaster),
    server: processorTime(server) - (isBelow(postmaster, server) ? processorTime(postmaster) : 0),
  }
}

const postmasterOf = async (pool: Pool): Promise<number> =>
  (await pool.query("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid"))
    .rows[0].pid

/** Memory of all processes of PostgreSQL in megabytes, each shared page counted once. */
export const databaseMemory = async (pool: Pool): Promise<number> => {
  const postmaster = await postmasterOf(pool)
  const kilobytes = processes()
    .filter(({ pid }) => pid === postmaster || isBelow(pid, postmaster))
    .map(({ pid }) => {
      try {
        const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
        return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1])
      } catch {
        return 0 // ended meanwhile
      }
    })
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1_024
}

/**
 * Entries of all indexes. A partial index counts rows written by `since` or later transactions. The
 * others count all rows, and the updates that made new entries.
 */
const indexEntries = async (pool: Pool, since: string): Promise<number> => {
  const { rows: indexes } = await pool.query<{ table: string; predicate: string | null }>(`
    SELECT indrelid::regclass::text AS table, pg_get_expr(indpred, indrelid) AS predicate
    FROM pg_index JOIN pg_class ON oid = indrelid
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`)
  const tables = Map.groupBy(indexes, ({ table }) => table)
  const counts = [...tables].map(([table, each]) => {
    const partial = each.flatMap(({ predicate }) => predicate ?? [])
    const sums = [
      `${each.length - partial.length} * count(*)`,
      ...partial.map(
        (rows) => `count(*) FILTER (WHERE (${rows}) AND xmin::text::bigint >= ${since})`,
      ),
    ]
    return `SELECT (${sums.join(' + ')})::float8 + ${each.length - partial.length} * (
      SELECT n_tup_upd - n_tup_hot_upd FROM pg_stat_user_tables WHERE relid = '${table}'::regclass
    ) AS entries FROM ${table}`
  })
  const { rows } = await pool.query(
    `SELECT sum(entries)::float8 AS entries FROM (${counts.join(' UNION ALL ')}) AS each`,
  )
  return rows[0].entries
}

/** Makes the pool's idle connections report their updates, which they do after ten seconds. */
const reportUpdates = async (pool: Pool): Promise<void> => {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  for (const client of clients) {
    await client.query('SELECT pg_stat_force_next_flush()')
    client.release()
  }
}

/**
 * The processor time of each transaction that a program of ours makes while it runs, in
 * microseconds: in all processes of PostgreSQL, and in the program itself, which must end.
 */
export const transactionsWork = async <Result extends { readonly transactions: number }>(
  pool: Pool,
  during: () => Promise<Result>,
): Promise<{ result: Result; database: number; client: number }> => {
  const postmaster = await postmasterOf(pool)
  const before = { database: processorTime(postmaster), client: timeOfEndedChildren() }
  const result = await during()
  return {
    result,
    database: (processorTime(postmaster) - before.database) / result.transactions,
    client: (timeOfEndedChildren() - before.client) / result.transactions,
  }
}

type Process = {
  readonly pid: number
  readonly parent: number
  /** Its own time and that of its ended children. */
  readonly microseconds: number
  readonly ofEndedChildren: number
}

/** The system counts processor time in hundredths of a second. */
const TICK_US = 10_000

const processes = (): readonly Process[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The name of the program may hold spaces and brackets.
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number)
      const [, parent = 0] = fields
      const [own, ofSystem, ended, endedOfSystem] = fields
        .slice(11, 15)
        .map((ticks) => ticks * TICK_US) as [number, number, number, number]
      const ofEndedChildren = ended + endedOfSystem
      const microseconds = own + ofSystem + ofEndedChildren
      return [{ pid: Number(name), parent, microseconds, ofEndedChildren }]
    } catch {
      return [] // ended meanwhile
    }
  })

/** Processor time of a process and all below it, in microseconds. */
const processorTime = (pid: number): number => {
  const all = processes()
  const below = Map.groupBy(all, ({ parent }) => parent)
  const sum = (each: number): number =>
    (all.find((process) => process.pid === each)?.microseconds ?? 0) +
    (below.get(each) ?? []).reduce((total, child) => total + sum(child.pid), 0)
  return sum(pid)
}

const timeOfEndedChildren = (): number =>
  processes().find(({ pid }) => pid === process.pid)?.ofEndedChildren ?? Number.NaN

const isBelow = (pid: number, ancestor: number): boolean => {
  const parents = new Map(processes().map(({ pid, parent }) => [pid, parent]))
  for (let each = parents.get(pid); each; each = parents.get(each))
    if (each === ancestor) return true
  return false
}
