import { type JobKind, jobKinds, type StoppedJob } from '@pool/contract/base/jobs'
import { networks } from '@pool/contract/base/networks'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import type { Config } from '../../base/configuration/config.ts'
import type { Schema } from '../../base/db/schema.ts'
import { type Job, longestGap } from '../../base/process/job.ts'
import type { Context } from '../../http/context.ts'

type RepeatingJob = Pick<Job<Context>, 'name' | 'at' | 'wanted'>

/** The jobs that a configuration has. */
export const wantedJobs = <Of extends RepeatingJob>(
  jobs: readonly Of[],
  config: Config,
): readonly Of[] => jobs.filter((job) => job.wanted?.(config) ?? true)

/** Begins the time in which each of these jobs is due. */
export const knowJobs = async (db: pg.ClientBase, names: readonly string[]): Promise<void> => {
  await db.query(
    'INSERT INTO job_successes (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING',
    [names],
  )
}

/** Moments of last successes by {@link performance}, by the name of the job. */
export type Successes = Map<string, number>

/** Writes successes and forgets them. The database's clock gives the moments. */
export const writeSuccesses = async (db: pg.ClientBase, successes: Successes): Promise<void> => {
  if (successes.size === 0) return
  const written = [...successes]
  const now = performance.now()
  await db.query(
    `INSERT INTO job_successes AS s (name, succeeded_at)
     SELECT name, now() - make_interval(secs => ago / 1000) FROM unnest($1::text[], $2::float8[]) AS w (name, ago)
     ON CONFLICT (name) DO UPDATE SET succeeded_at = greatest(s.succeeded_at, EXCLUDED.succeeded_at)`,
    [written.map(([name]) => name), written.map(([, at]) => now - at)],
  )
  for (const [name, at] of written) if (successes.get(name) === at) successes.delete(name)
}

/** Names of those jobs that had no success on any node for longer than their longest gap. */
export const overdueOf = async (
  db: pg.ClientBase,
  jobs: readonly RepeatingJob[],
): Promise<readonly string[]> => {
  const { rows } = await db.query<{ name: string }>(
    `SELECT name FROM job_successes JOIN unnest($1::text[], $2::float8[]) AS j (name, gap) USING (name)
     WHERE greatest(since, succeeded_at) < now() - make_interval(secs => gap)`,
    [jobs.map(({ name }) => name), jobs.map(({ at }) => longestGap(at))],
  )
  return rows.map(({ name }) => name)
}

const kindOf = (name: Job<Context>['name']): JobKind | undefined =>
  jobKinds.find((kind) => name === kind || name.startsWith(`${kind}-`))

export type JobState = StoppedJob & {
  readonly name: string
  readonly isStopped: boolean
  /** Since its last success. */
  readonly seconds: number
  readonly longestGap: number
}

/** The state of each job that this configuration has and some node knew. */
export const readJobStates = async (
  { db, config }: { readonly db: Kysely<Schema>; readonly config: Config },
  jobs: readonly RepeatingJob[],
): Promise<readonly JobState[]> => {
  const { rows } = await sql<{ name: string; since: Date; seconds: number }>`
    SELECT name, greatest(since, succeeded_at) AS since,
      extract(epoch FROM now() - greatest(since, succeeded_at))::float8 AS seconds
    FROM job_successes`.execute(db)
  return wantedJobs(jobs, config).flatMap(({ name, at }) => {
    const row = rows.find((each) => each.name === name)
    const kind = kindOf(name)
    if (!row || !kind) return []
    const network = networks.find(({ words: [id] }) => name === `${kind}-${id}`)?.name ?? null
    const gap = longestGap(at)
    const since = timestampFromDate(row.since)
    const { seconds } = row
    return [{ name, kind, network, since, seconds, longestGap: gap, isStopped: seconds > gap }]
  })
}
