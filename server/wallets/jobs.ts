import type { Context } from '../context.ts'
import type { Job } from '../process/job.ts'
import { forgetAssignments } from './forgetAssignments.ts'

export const walletJobs: readonly Job<Pick<Context, 'db'>>[] = [
  {
    name: 'assignments',
    at: '*/10 * * * *',
    run: async ({ db }) => void (await forgetAssignments(db)),
  },
]
