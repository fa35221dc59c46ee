import type { Context } from '../context.ts'
import type { Job } from '../process/job.ts'
import { expireDeposits } from './expireDeposits.ts'

export const transactionJobs: readonly Job<Pick<Context, 'config' | 'db' | 'keys'>>[] = [
  {
    name: 'expiry',
    at: '17 4 * * *',
    run: async (context, { log }) => {
      const expired = await expireDeposits(context, context.config.depositTtlDays)
      if (expired > 0) log.info({ expired }, 'deposits expired')
    },
  },
]
