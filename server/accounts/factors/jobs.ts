import type { Job } from '../../base/process/job.ts'
import type { WithDb } from '../../http/context.ts'
import { forgetChallenges } from './challenges.ts'

export const factorJobs: readonly Job<WithDb>[] = [
  {
    name: 'challenges',
    at: '*/10 * * * *',
    run: async ({ db }) => void (await forgetChallenges(db)),
  },
]
