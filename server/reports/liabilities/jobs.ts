import type { Job } from '../../base/process/job.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import { forgetLeaves, makeLiabilities } from './make.ts'

export const liabilityJobs: readonly Job<OnRecord>[] = [
  {
    name: 'liabilities',
    // After the count of days past due and the file of loans.
    at: '40 0 * * *',
    atStart: true,
    attempts: 5,
    alone: true,
    run: async (context, { log }) => {
      const day = await makeLiabilities(context)
      if (day) log.info({ day }, 'what is owed to investors published')
      await forgetLeaves(context.db)
    },
  },
]
