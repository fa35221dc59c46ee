import type { Job } from '../../base/process/job.ts'
import type { Context } from '../../http/context.ts'
import { forgetChallenges } from './challenges.ts'

export const factorJobs: readonly Job<Pick<Context, 'db'>>[] = [
  {
    name: 'challenges',
    at: '*/10 * * * *',
    run: async ({ db }) => void (await forgetChallenges(db)),
  },
]
