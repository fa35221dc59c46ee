import type { Database } from '../../base/db/connection.ts'
import type { Job } from '../../base/process/job.ts'
import type { Log } from '../../base/process/log.ts'
import type { Context } from '../../http/context.ts'
import { roomJobs } from './roomJobs.ts'
import { type Running, startRunner } from './runner.ts'
import { wantedJobs } from './successes.ts'

/** Jobs at once, beside the outside ones. */
const CONCURRENCY = 3

/** Milliseconds between two looks at a runner. */
const TICK_MS = 1_000

/**
 * Starts the jobs of this process. Outside jobs have a runner with a place for each, and statements
 * on connections of their own, so a server that stalls holds up its own job alone.
 */
export const startJobs = async (
  context: Context,
  { openRunnerPool, outside, locks }: Pick<Database, 'openRunnerPool' | 'outside' | 'locks'>,
  log: Log,
  jobs: readonly Job<Context>[] = roomJobs,
  tickMs = TICK_MS,
): Promise<Running> => {
  const wanted = wantedJobs(jobs, context.config)
  const [quick, slow] = [wanted.filter((job) => !job.outside), wanted.filter((job) => job.outside)]
  const shared = { log, locks, openPool: openRunnerPool, tickMs }
  const runners = [
    { ...shared, jobs: quick, concurrency: CONCURRENCY, context },
    { ...shared, jobs: slow, concurrency: slow.length, context: { ...context, db: outside } },
  ]
  const running = await Promise.all(
    // A runner takes no jobs of none, which it would call a failure.
    runners.filter((runner) => runner.jobs.length > 0).map(startRunner),
  )
  return {
    isRunning: () => running.every((each) => each.isRunning()),
    stop: async () => {
      await Promise.all(running.map((each) => each.stop()))
    },
  }
}
