import type { Context } from '../context.ts'
import type { Job } from '../process/job.ts'
import { postDisbursements } from './disburse.ts'

export const loanJobs: readonly Job<Pick<Context, 'db' | 'keys' | 'ledger'>>[] = [
  {
    name: 'loans',
    at: '* * * * *',
    attempts: 1,
    run: async (context, { log }) => {
      const disbursed = await postDisbursements(context)
      if (disbursed > 0) log.info({ disbursed }, 'loans disbursed')
    },
  },
]
