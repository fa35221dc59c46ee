import type { Job } from '../../base/process/job.ts'
import type { Context } from '../../http/context.ts'
import { postCapital } from './takeCapital.ts'

export const windDownJobs: readonly Job<Pick<Context, 'db' | 'keys' | 'ledger'>>[] = [
  {
    name: 'windDown',
    at: '* * * * *',
    attempts: 1,
    run: async (context, { log }) => {
      const taken = await postCapital(context)
      if (taken > 0) log.info({ taken }, 'capital of the operator taken out')
    },
  },
]
