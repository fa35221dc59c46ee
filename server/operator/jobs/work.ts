import type pg from 'pg'

/** The state of a job's run. A settled one waits until its row says so. */
type Run = 'underWay' | { readonly failed: string | undefined; isSeen: boolean }

/** The runs of one runner, by the id of the job's row. Its name is in the rows that it took. */
export type Works = { name: string | undefined; readonly runs: Map<string, Run> }

export const openWorks = (): Works => ({ name: undefined, runs: new Map() })

/** Runs a job's work and notes its outcome, which outlasts the runner and its connections. */
export const noted = async ({ runs }: Works, id: string, work: () => Promise<void>) => {
  runs.set(id, 'underWay')
  try {
    await work()
    runs.set(id, { failed: undefined, isSeen: false })
  } catch (error) {
    runs.set(id, { failed: error instanceof Error ? error.message : String(error), isSeen: false })
    throw error
  }
}

export const isUnderWay = ({ runs }: Works): boolean =>
  [...runs.values()].some((run) => run === 'underWay')

/**
 * Writes what the library did not write: outcomes of runs, and for a runner that has ended the rows
 * that it took without a run. A living runner has one call's time to write its own.
 */
export const settle = async (
  db: pg.ClientBase,
  { name, runs }: Works,
  { hasEnded }: { readonly hasEnded: boolean },
): Promise<void> => {
  if (name === undefined) return
  const [done, failed, messages]: [string[], string[], string[]] = [[], [], []]
  for (const [id, run] of runs) {
    if (run === 'underWay') continue
    if (!run.isSeen && !hasEnded) run.isSeen = true
    else if (run.failed === undefined) done.push(id)
    else {
      failed.push(id)
      messages.push(run.failed)
    }
  }
  const known = [...runs.keys()]
  if (hasEnded || done.length + failed.length > 0) {
    await db.query(SETTLE, [name, done, failed, messages, hasEnded ? known : null])
    await db.query(FREE_QUEUES, [name])
  }
  for (const id of [...done, ...failed]) runs.delete(id)
}

// A failed job waits like one that the library fails. One without a run gets its attempt back.
const SETTLE = `
  WITH done AS (
    DELETE FROM graphile_worker._private_jobs WHERE locked_by = $1 AND id = ANY($2::bigint[])),
  failed AS (
    UPDATE graphile_worker._private_jobs AS j SET last_error = f.message, locked_by = NULL, locked_at = NULL,
      run_at = greatest(now(), run_at) + exp(least(attempts, 10)) * interval '1 second'
    FROM unnest($3::bigint[], $4::text[]) AS f (id, message) WHERE j.locked_by = $1 AND j.id = f.id)
  UPDATE graphile_worker._private_jobs SET locked_by = NULL, locked_at = NULL, attempts = greatest(attempts - 1, 0)
  WHERE locked_by = $1 AND id <> ALL($5::bigint[])`

const FREE_QUEUES = `
  UPDATE graphile_worker._private_job_queues AS q SET locked_by = NULL, locked_at = NULL
  WHERE locked_by = $1 AND NOT EXISTS (
    SELECT FROM graphile_worker._private_jobs AS j WHERE j.job_queue_id = q.id AND j.locked_by = $1)`
