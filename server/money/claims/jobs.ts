import type { Job } from '../../base/process/job.ts'
import type { OnLedger } from '../../http/context.ts'
import { collectClaims } from './collectClaims.ts'

export const claimJobs: readonly Job<OnLedger>[] = [
  {
    name: 'claims',
    at: '* * * * *',
    attempts: 1,
    run: async (context, { log }) => {
      const collected = await collectClaims(context)
      if (collected > 0) log.info({ collected }, 'claims collected')
    },
  },
]
