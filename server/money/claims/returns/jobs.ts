import type { Job } from '../../../base/process/job.ts'
import type { Context } from '../../../http/context.ts'
import { completeAgreed } from './completeAgreed.ts'
import { postReturns } from './returns.ts'

export const returnJobs: readonly Job<Pick<Context, 'db' | 'keys' | 'ledger'>>[] = [
  {
    name: 'returns',
    at: '* * * * *',
    attempts: 1,
    run: async (context, { log }) => {
      const returned = await postReturns(context)
      if (returned > 0) log.info({ returned }, 'withdrawals given back')
      const completed = await completeAgreed(context)
      if (completed > 0) log.info({ completed }, 'withdrawals completed by two people')
    },
  },
]
