import type { Context } from '../context.ts'
import type { Job } from '../process/job.ts'
import { applyDue } from './applyDue.ts'

export const proposalJobs: readonly Job<Pick<Context, 'config' | 'db' | 'keys'>>[] = [
  {
    name: 'proposals',
    at: '* * * * *',
    alone: true,
    run: async (context) => void (await applyDue(context)),
  },
]
