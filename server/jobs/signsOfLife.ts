import type { WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { Context } from '../context.ts'
import type { Job } from '../process/job.ts'

/** Seconds in which a new runner shows its sign, while it may have taken a job already. */
const SIGN_WITHIN = 30

type Sign = {
  /** Resolves once the sign is gone, since its session was lost. */
  readonly lost: Promise<void>
  readonly close: () => void
}

/**
 * Shows that a runner's process lives, from the moment when the runner has a name, which it writes
 * into the rows of its jobs. The database takes the lock back by itself when the process is killed.
 */
export const openSign = async (locks: pg.Pool, events: WorkerEvents): Promise<Sign> => {
  const session = await locks.connect()
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
  session.on('error', () => lose())
  events.once('pool:create', ({ workerPool }) => {
    session
      .query('SELECT pg_advisory_lock(7031996, hashtext($1))', [workerPool.id])
      .catch(() => lose())
  })
  return { lost, close: () => session.release(true) }
}

/** Frees the jobs and queues of runners without a sign, which would wait for four hours. */
const freeWork = async (db: pg.ClientBase): Promise<readonly string[]> => {
  const { rows } = await db.query<{ dead: string[] }>(
    `WITH held AS (
       SELECT locked_by, locked_at FROM graphile_worker._private_jobs
       UNION ALL SELECT locked_by, locked_at FROM graphile_worker._private_job_queues),
     dead AS (
       SELECT DISTINCT locked_by FROM held
       WHERE locked_at < now() - make_interval(secs => $1) AND NOT EXISTS (
         SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
           AND classid = 7031996 AND objid = hashtext(locked_by)::oid)),
     names AS (SELECT coalesce(array_agg(locked_by), '{}') AS dead FROM dead)
     SELECT dead, graphile_worker.force_unlock_workers(dead) FROM names`,
    [SIGN_WITHIN],
  )
  return rows[0]?.dead ?? []
}

export const runnerJobs: readonly Job<Context>[] = [
  {
    name: 'freeWork',
    at: '* * * * *',
    run: async (_context, { session, log }) => {
      const client = await session()
      try {
        const runners = await freeWork(client)
        if (runners.length > 0) log.warn({ runners }, 'freed the jobs of killed processes')
      } finally {
        client.release()
      }
    },
  },
]
