import type { Job } from '../../base/process/job.ts'
import type { Context } from '../../http/context.ts'
import { deriveWallets } from './deriveWallets.ts'
import { forgetAssignments } from './forgetAssignments.ts'

export const walletJobs: readonly Job<Pick<Context, 'config' | 'db' | 'keys'>>[] = [
  {
    name: 'assignments',
    at: '*/10 * * * *',
    run: async ({ db }) => void (await forgetAssignments(db)),
  },
  {
    name: 'addressKeys',
    at: '* * * * *',
    alone: true,
    run: async (context) => void (await deriveWallets(context)),
  },
]
