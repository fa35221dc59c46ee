import type { Job } from '../../base/process/job.ts'
import type { WithConfig } from '../../http/context.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import { applyDue } from './applyDue.ts'

export const proposalJobs: readonly Job<OnRecord & WithConfig>[] = [
  {
    name: 'proposals',
    at: '* * * * *',
    alone: true,
    run: async (context) => void (await applyDue(context)),
  },
]
