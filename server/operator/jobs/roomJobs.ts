import { accountJobs } from '../../accounts/jobs.ts'
import { proposalJobs } from '../../agreements/proposals/jobs.ts'
import type { Job } from '../../base/process/job.ts'
import { sessionJobs } from '../../base/sessions/jobs.ts'
import { chainJobs } from '../../chain/jobs.ts'
import { coinJobs } from '../../coins/jobs.ts'
import type { Context } from '../../http/context.ts'
import { ledgerJobs } from '../../ledger/jobs.ts'
import { lendingJobs } from '../../lending/jobs.ts'
import { moneyJobs } from '../../money/jobs.ts'
import { reportJobs } from '../../reports/jobs.ts'
import { transactionJobs } from '../../requests/transactions/jobs.ts'

/** The jobs of every district. */
export const roomJobs: readonly Job<Context>[] = [
  ...accountJobs,
  ...chainJobs,
  ...coinJobs,
  ...ledgerJobs,
  ...lendingJobs,
  ...moneyJobs,
  ...proposalJobs,
  ...reportJobs,
  ...sessionJobs,
  ...transactionJobs,
]
