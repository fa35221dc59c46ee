import type { Context } from '../context.ts'
import type { Job } from '../process/job.ts'
import { readPrices } from './readPrices.ts'

export const rateJobs: readonly Job<Pick<Context, 'config' | 'db'>>[] = [
  {
    name: 'prices',
    atStart: true,
    at: '* * * * *',
    alone: true,
    outside: true,
    run: async (context, { stopping }) => void (await readPrices(context, stopping)),
  },
]
