/** Reads from a standby beside the primary (docs/decisions/036). */
import { MOST_SECONDS_BEHIND } from '@pool/contract/base/lists'
import { Refusal } from '@pool/contract/base/refusals'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../process/log.ts'
import { type Database, openReplicaPool } from './connection.ts'
import { isCancelled } from './errors.ts'
import type { Schema } from './schema.ts'

/** A read. It must have no other effect before `mayRepeat` says so. */
type Work<T> = (db: Kysely<Schema>) => Promise<T>
type MayRepeat = () => boolean

/** The reads of one request that may lag. */
export type LaggingReads = {
  /**
   * Reads from the replica in one snapshot, else from the primary. Repeats a failed read on the
   * primary while it may.
   */
  readonly read: <T>(work: Work<T>, mayRepeat?: MayRepeat) => Promise<T>
  /** The moment that the rows are true for. Undefined for rows of the primary. */
  readonly asOf: () => Date | undefined
}

export type Replica = {
  /** Begins the reads of a request. */
  readonly begin: () => LaggingReads
  /** Looks at the replica now, and then every second. */
  readonly watch: () => Promise<void>
  /** Seconds that the replica was behind at the last look. Undefined while it is away. */
  readonly lag: () => number | undefined
  /** Number of reads that the replica answered, and those that the primary answered for it. */
  readonly counts: () => { readonly replica: number; readonly primary: number }
  readonly close: () => Promise<void>
}

const LOOK_EVERY_MS = 1_000
/** Shortest outage. A server that stops may still answer on some connections. */
const SHORTEST_OUTAGE_MS = 2_000
/** Timeouts of a look at the replica's heartbeat, and of each query of a read. */
const LOOK_TIMEOUT_MS = 1_000
const QUERY_TIMEOUT_MS = 10_000
/** Other nodes write the heartbeat while this one asks the time. */
const EARLIEST_MS = -1_000

// Waits for no standby. All nodes share the row, and write it at most twice a second.
const BEAT = `
  WITH beat AS (UPDATE heartbeats SET at = clock_timestamp()
    WHERE at NOT BETWEEN clock_timestamp() - interval '500 milliseconds' AND clock_timestamp())
  SELECT clock_timestamp() AS now, set_config('synchronous_commit', 'local', true)`

/** SQLSTATE of a read that recovery cancelled. */
const CONFLICT = '40001'

/** True for a failure of one read, which says nothing about the next. */
const isOwn = (error: unknown): boolean =>
  isCancelled(error) || (error instanceof pg.DatabaseError && error.code === CONFLICT)

/** Cuts a connection that has not answered within the timeout. */
const within = async <T>(
  client: pg.ClientBase,
  timeout: number,
  answer: Promise<T>,
): Promise<T> => {
  const { connection } = client as pg.Client
  const late = setTimeout(() => connection.stream.destroy(), timeout)
  try {
    return await answer
  } finally {
    clearTimeout(late)
  }
}

/** Queries on a connection, without releasing it. */
const queriesOn = (client: pg.PoolClient): Kysely<Schema> => {
  const query = (text: string, values: readonly unknown[]) =>
    within(client, QUERY_TIMEOUT_MS, client.query(text, [...values]))
  const borrowed = { query, release: () => undefined }
  const pool = { connect: async () => borrowed, end: async () => undefined }
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pool as never }) })
}

/** Compares heartbeats with the time of the primary, so that clocks of machines need not agree. */
const openHeart = ({ direct }: Pick<Database, 'direct'>) => {
  let primary: { readonly now: number; readonly asked: number } | undefined
  return {
    beat: async (): Promise<void> => {
      const asked = performance.now()
      const { rows } = await direct.query<{ now: Date }>(BEAT)
      if (rows[0]) primary = { now: rows[0].now.getTime(), asked }
    },
    /** The last heartbeat on a replica. Throws for one that is promoted or too far behind. */
    requireRecent: async (client: pg.ClientBase): Promise<{ asOf: Date; behind: number }> => {
      const { rows } = await within(
        client,
        LOOK_TIMEOUT_MS,
        client.query<{ isStandby: boolean; at: Date }>(
          'SELECT pg_is_in_recovery() AS "isStandby", at FROM heartbeats',
        ),
      )
      const [row] = rows
      if (!row?.isStandby) throw new Error('this host is no standby')
      if (!primary) throw new Error('the primary has not told its time')
      const behind = primary.now + performance.now() - primary.asked - row.at.getTime()
      if (behind < EARLIEST_MS || behind > MOST_SECONDS_BEHIND * 1_000)
        throw new Error(`this standby is ${Math.round(behind)} ms behind`)
      return { asOf: row.at, behind: Math.max(0, behind) / 1_000 }
    },
  }
}

/** Logs the beginning and the end of an outage. The replica is away before the first look. */
const openPresence = (log: Log) => {
  let isHere = false
  let since: number | undefined
  return {
    isHere: () => isHere,
    left: (err: unknown) => {
      isHere = false
      if (since === undefined)
        log.warn({ err }, 'the replica is away; the primary answers until it is back')
      since ??= performance.now()
    },
    came: () => {
      const lasted = since === undefined ? undefined : performance.now() - since
      if (lasted !== undefined && lasted < SHORTEST_OUTAGE_MS) return
      if (lasted !== undefined)
        log.warn({ seconds: Math.round(lasted) / 1_000 }, 'the replica answers again')
      since = undefined
      isHere = true
    },
  }
}

/** Opens the replica at `DATABASE_REPLICA_URL`. Connects at its first look. */
export const openReplica = (
  url: string,
  database: Pick<Database, 'db' | 'direct'>,
  log: Log,
): Replica => {
  // Long: watching and reading are short functions that share its state.
  const heart = openHeart(database)
  const presence = openPresence(log)
  const counts = { replica: 0, primary: 0 }
  let lag: number | undefined
  let next: NodeJS.Timeout | undefined
  const pool = openReplicaPool(url, async (client) => void (await heart.requireRecent(client)))

  /** Works on a connection, in one snapshot that is recent. */
  const onReplica = async <T>(
    work: (db: Kysely<Schema>, seen: { asOf: Date; behind: number }) => Promise<T>,
  ): Promise<T> => {
    const client = await pool.connect()
    try {
      void client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY').catch(() => undefined)
      const result = await work(queriesOn(client), await heart.requireRecent(client))
      // The read is done, however its transaction ends.
      await within(client, LOOK_TIMEOUT_MS, client.query('COMMIT')).then(
        () => client.release(),
        () => client.release(true),
      )
      return result
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  const look = async (): Promise<void> => {
    // Without a primary the replica soon counts as too far behind.
    await heart.beat().catch(() => undefined)
    try {
      lag = await onReplica(async (_, { behind }) => behind)
      presence.came()
    } catch (error) {
      if (!pool.ending) presence.left(error)
    }
  }
  const watch = async (): Promise<void> => {
    await look()
    if (!pool.ending) next = setTimeout(() => void watch(), LOOK_EVERY_MS).unref()
  }

  const begin = (): LaggingReads => {
    let asOf: Date | undefined
    const fromReplica = async <T>(work: Work<T>): Promise<T> => {
      const result = await onReplica((db, seen) => {
        asOf = seen.asOf
        return work(db)
      })
      counts.replica += 1
      return result
    }
    const read = async <T>(work: Work<T>, mayRepeat: MayRepeat = () => true): Promise<T> => {
      if (presence.isHere())
        try {
          return await fromReplica(work)
        } catch (error) {
          // Later failures may be the reader's. The next look finds the others.
          if (error instanceof Refusal || !mayRepeat()) throw error
          if (!isOwn(error)) presence.left(error)
        }
      asOf = undefined
      counts.primary += 1
      return database.db.transaction().setAccessMode('read only').execute(work)
    }
    return { read, asOf: () => asOf }
  }

  return {
    begin,
    watch,
    lag: () => (presence.isHere() ? lag : undefined),
    counts: () => counts,
    close: async () => {
      clearTimeout(next)
      await pool.end()
    },
  }
}
