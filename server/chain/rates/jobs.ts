import type { Job } from '../../base/process/job.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { readPrices } from './readPrices.ts'

export const rateJobs: readonly Job<WithDb & WithConfig>[] = [
  {
    name: 'prices',
    atStart: true,
    at: '* * * * *',
    alone: true,
    outside: true,
    run: async (context, { stopping }) => void (await readPrices(context, stopping)),
  },
]
