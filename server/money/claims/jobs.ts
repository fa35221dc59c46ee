import type { Job } from '../../base/process/job.ts'
import type { OnLedger } from '../../http/context.ts'
import { collectClaims } from './collectClaims.ts'
import { completeAgreed } from './completeAgreed.ts'
import { postReturns } from './returns.ts'
import { postWriteOffs } from './writeOffs.ts'

export const claimJobs: readonly Job<OnLedger>[] = [
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

export const returnJobs: readonly Job<OnLedger>[] = [
  {
    name: 'returns',
    at: '* * * * *',
    attempts: 1,
    run: async (context, { log }) => {
      const returned = await postReturns(context)
      if (returned > 0) log.info({ returned }, 'withdrawals given back')
      const completed = await completeAgreed(context)
      if (completed > 0) log.info({ completed }, 'withdrawals completed by two people')
    },
  },
]
