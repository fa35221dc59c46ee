import type { StoppedWork } from '@pool/contract/base/health'
import { listStoppedJobs } from '@pool/contract/base/jobs'
import type { FastifyInstance } from 'fastify'
import type { Context, WithConfig, WithDb } from '../../http/context.ts'
import { route } from '../../http/serving/route.ts'
import { roomJobs } from './roomJobs.ts'
import { readJobStates } from './successes.ts'

/** Background work without a success for longer than its longest gap. */
export const readStoppedWork = async (context: WithDb & WithConfig): Promise<StoppedWork> => {
  const states = await readJobStates(context, roomJobs)
  return states
    .filter(({ isStopped }) => isStopped)
    .map(({ kind, network, since, longestGap: longestGapSeconds }) => ({
      kind,
      network,
      since,
      longestGapSeconds,
    }))
}

export const jobRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, listStoppedJobs, async () => {
    const stopped = await readStoppedWork(context)
    return stopped.map(({ kind, network, since }) => ({ kind, network, since }))
  })
}
