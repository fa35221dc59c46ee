import type pg from 'pg'
import { LOCKS } from '../../base/locks.ts'

/**
 * Shows that the runner of this name lives, as long as the session does. The runner writes its name
 * into the rows of its jobs. False while another session shows it, as one that was lost.
 */
export const showSign = async (session: pg.ClientBase, name: string): Promise<boolean> => {
  const { rows } = await session.query<{ shown: boolean }>(
    'SELECT pg_try_advisory_lock($1, hashtext($2)) AS shown',
    [LOCKS.runners, name],
  )
  return rows[0]?.shown === true
}

export const hideSign = async (session: pg.ClientBase, name: string): Promise<void> => {
  await session.query('SELECT pg_advisory_unlock($1, hashtext($2))', [LOCKS.runners, name])
}

/** Names of runners that hold jobs or queues and show no sign. */
export const deadRunners = async (session: pg.ClientBase): Promise<readonly string[]> => {
  const { rows } = await session.query<{ name: string }>(
    `WITH held AS (
       SELECT locked_by AS name FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL
       UNION SELECT locked_by FROM graphile_worker._private_job_queues WHERE locked_at IS NOT NULL)
     SELECT name FROM held WHERE NOT EXISTS (
       SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND classid = $1::int::oid AND objid = hashtext(name)::oid)`,
    [LOCKS.runners],
  )
  return rows.map(({ name }) => name)
}

/** Frees the jobs and queues of runners, which would wait for four hours. */
export const freeWork = async (session: pg.ClientBase, names: readonly string[]): Promise<void> => {
  await session.query('SELECT graphile_worker.force_unlock_workers($1)', [names])
}
