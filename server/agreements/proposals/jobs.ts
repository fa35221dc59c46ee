import type { Job } from '../../base/process/job.ts'
import type { Context } from '../../http/context.ts'
import { applyDue } from './applyDue.ts'

export const proposalJobs: readonly Job<Pick<Context, 'config' | 'db' | 'keys'>>[] = [
  {
    name: 'proposals',
    at: '* * * * *',
    alone: true,
    run: async (context) => void (await applyDue(context)),
  },
]
