import type { Context } from '../context.ts'
import type { Job } from '../process/job.ts'
import { forgetChallenges } from './challenges.ts'

export const factorJobs: readonly Job<Pick<Context, 'db'>>[] = [
  {
    name: 'challenges',
    at: '*/10 * * * *',
    run: async ({ db }) => void (await forgetChallenges(db)),
  },
]
