import { batchJobs } from './batches/jobs.ts'
import { custodyJobs } from './custody/jobs.ts'
import { payoutJobs } from './payouts/jobs.ts'
import { reconciliationJobs, unseenJobs } from './reconciliation/jobs.ts'

/** The jobs about coins. */
export const coinJobs = [
  ...batchJobs,
  ...custodyJobs,
  ...payoutJobs,
  ...reconciliationJobs,
  ...unseenJobs,
]
