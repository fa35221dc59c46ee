import type { Job } from '../../base/process/job.ts'
import type { WithConfig } from '../../http/context.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import { deriveWallets } from './deriveWallets.ts'
import { forgetAssignments } from './forgetAssignments.ts'

export const walletJobs: readonly Job<OnRecord & WithConfig>[] = [
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
