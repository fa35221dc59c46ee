import type { Job } from '../../base/process/job.ts'
import type { OnLedger } from '../../http/context.ts'
import { postCapital } from './takeCapital.ts'

export const windDownJobs: readonly Job<OnLedger>[] = [
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
