import { listStoppedJobs } from '@pool/contract/jobs'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { route } from '../http/route.ts'
import { roomJobs } from './roomJobs.ts'
import { readJobStates } from './successes.ts'

export const jobRoutes = (app: FastifyInstance, context: Context): void => {
  route(app, context, listStoppedJobs, async () => {
    const states = await readJobStates(context, roomJobs)
    return states
      .filter(({ isStopped }) => isStopped)
      .map(({ kind, network, since }) => ({ kind, network, since }))
  })
}
