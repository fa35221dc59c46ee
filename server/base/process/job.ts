import type { JobKind } from '@pool/contract/base/jobs'
import type { PoolClient } from 'pg'
import type { Config } from '../configuration/config.ts'
import type { Log } from './log.ts'

/** Background work that a room exports in `jobs.ts`, and `server/operator/jobs/` runs. */
export type Job<Needed> = {
  /** The same in the next release: a queued job whose name no node knows waits for ever. */
  readonly name: JobKind | `${JobKind}-${string}`
  /** A cron time in UTC. Its period gives the longest time between two successes. */
  readonly at: CronTime
  /** False for a configuration that has no such work. A job in the queue is still taken. */
  readonly wanted?: (config: Config) => boolean
  /** Also runs when a process starts. */
  readonly atStart?: true
  /** Seconds after a run until the next, where the cron time is too coarse. */
  readonly repeatAfter?: (config: Config) => number | undefined
  /** Asks for a run whenever something outside calls for it, until `ended`. */
  readonly pushed?: (config: Config, ask: () => void, ended: AbortSignal) => void
  /** Attempts of a job that fails. The library's default is 25. */
  readonly attempts?: number
  /** Runs once at a time over all nodes, in a queue of its name. */
  readonly alone?: true
  /**
   * Waits for servers of others. Its runner and its connections serve such jobs only. It holds no
   * transaction while it waits.
   */
  readonly outside?: true
  /** Its end counts as a success, unless it throws or says that it left its work undone. */
  readonly run: (context: Needed, process: Process) => Promise<void>
}

type CronTime = '* * * * *' | '*/10 * * * *' | `${number} * * * *` | `${number} ${number} * * *`

/** Seconds. A failed run, its repeats and a restart fit in. */
const LONGEST_GAPS = { minute: 300, tenMinutes: 1_800, hour: 3 * 3_600, day: 26 * 3_600 }

/** Seconds between two successes of a job, beyond which it has stopped. */
export const longestGap = (at: CronTime): number => {
  if (at === '* * * * *') return LONGEST_GAPS.minute
  if (at === '*/10 * * * *') return LONGEST_GAPS.tenMinutes
  return at.endsWith(' * * * *') ? LONGEST_GAPS.hour : LONGEST_GAPS.day
}

export type Process = {
  readonly log: Log
  /** Opens a session of its own. The job releases it. */
  readonly session: () => Promise<PoolClient>
  /** Aborted when the process stops: a long run ends soon. */
  readonly stopping: AbortSignal
  /** Says that this run did not do its work, as it failed or another run has it. */
  readonly leaveUndone: () => void
}
