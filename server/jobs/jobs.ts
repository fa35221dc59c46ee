import type { Context } from '../context.ts'
import type { Database } from '../db/connection.ts'
import type { Job } from '../process/job.ts'
import type { Log } from '../process/log.ts'
import { roomJobs } from './roomJobs.ts'
import { type Running, startRunner } from './runner.ts'

/** Jobs at once, beside the outside ones. */
const CONCURRENCY = 3

/**
 * Starts the jobs of this process. Outside jobs have a runner with a place for each, and statements
 * on connections of their own, so a server that stalls holds up its own job alone.
 */
export const startJobs = async (
  context: Context,
  { direct, outside, locks }: Pick<Database, 'direct' | 'outside' | 'locks'>,
  log: Log,
  jobs: readonly Job<Context>[] = roomJobs,
): Promise<Running> => {
  const wanted = jobs.filter((job) => job.wanted?.(context.config) ?? true)
  const [quick, slow] = [wanted.filter((job) => !job.outside), wanted.filter((job) => job.outside)]
  const running = await Promise.all([
    startRunner({ jobs: quick, concurrency: CONCURRENCY, context, log, locks }, direct),
    startRunner(
      {
        jobs: slow,
        concurrency: Math.max(1, slow.length),
        context: { ...context, db: outside },
        log,
        locks,
      },
      direct,
    ),
  ])
  return {
    isRunning: () => running.every((each) => each.isRunning()),
    stop: async () => {
      await Promise.all(running.map((each) => each.stop()))
    },
  }
}
