import type { Job } from '../../base/process/job.ts'
import type { WithConfig } from '../../http/context.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import { refreshFigures } from './figures.ts'
import { writeTape } from './tape.ts'

export const poolJobs: readonly Job<OnRecord & WithConfig>[] = [
  {
    name: 'poolFigures',
    at: '* * * * *',
    atStart: true,
    attempts: 1,
    alone: true,
    run: async (context, { log }) => {
      if (await refreshFigures(context)) log.info('figures of the pool counted')
    },
  },
  {
    name: 'poolTape',
    // After the count of days past due.
    at: '25 0 * * *',
    atStart: true,
    attempts: 3,
    alone: true,
    run: async (context, { log }) => {
      if (await writeTape(context)) log.info('file of all loans made')
    },
  },
]
