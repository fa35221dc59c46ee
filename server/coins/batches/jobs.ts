import type { Job } from '../../base/process/job.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { estimateFees } from './estimateFees.ts'

export const batchJobs: readonly Job<WithDb & WithConfig>[] = [
  {
    name: 'networkFees',
    atStart: true,
    at: '*/10 * * * *',
    alone: true,
    outside: true,
    run: async (context, { log, leaveUndone }) => {
      const { asked, failed } = await estimateFees(context)
      for (const { network, error } of failed)
        log.warn({ network, err: error }, "a network's fee was not estimated")
      if (failed.length === asked && asked > 0) leaveUndone()
    },
  },
]
