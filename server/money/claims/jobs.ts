import type { Job } from '../../base/process/job.ts'
import type { Context } from '../../http/context.ts'
import { collectClaims } from './collectClaims.ts'
import { postWriteOffs } from './writeOffs.ts'

export const claimJobs: readonly Job<Pick<Context, 'db' | 'keys' | 'ledger'>>[] = [
  {
    name: 'claims',
    at: '* * * * *',
    attempts: 1,
    run: async (context, { log }) => {
      const collected = await collectClaims(context)
      if (collected > 0) log.info({ collected }, 'claims collected')
      const written = await postWriteOffs(context)
      if (written > 0) log.info({ written }, 'claims written off')
    },
  },
]
