import type { PoolClient } from 'pg'
import type { Config } from '../config.ts'
import type { Log } from './log.ts'

/** Background work that a room exports in `jobs.ts`, and `server/jobs/` runs. */
export type Job<Needed> = {
  /** The same in the next release: a queued job whose name no node knows waits for ever. */
  readonly name: string
  /** A cron time in UTC. */
  readonly at: string
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
  readonly run: (context: Needed, process: Process) => Promise<void>
}

export type Process = {
  readonly log: Log
  /** Opens a session of its own. The job releases it. */
  readonly session: () => Promise<PoolClient>
  /** Aborted when the process stops: a long run ends soon. */
  readonly stopping: AbortSignal
}
