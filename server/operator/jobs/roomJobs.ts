import { batchJobs } from '../batches/jobs.ts'
import { claimJobs } from '../claims/jobs.ts'
import type { Context } from '../context.ts'
import { custodyJobs } from '../custody/jobs.ts'
import { factorJobs } from '../factors/jobs.ts'
import { investmentJobs } from '../investments/jobs.ts'
import { ledgerJobs } from '../ledger/jobs.ts'
import { liabilityJobs } from '../liabilities/jobs.ts'
import { linkJobs } from '../links/jobs.ts'
import { loanJobs } from '../loans/jobs.ts'
import { mailJobs } from '../mail/jobs.ts'
import { nodeJobs } from '../nodes/jobs.ts'
import { noticeJobs } from '../notices/jobs.ts'
import { payoutJobs } from '../payouts/jobs.ts'
import { poolJobs } from '../pool/jobs.ts'
import type { Job } from '../process/job.ts'
import { proposalJobs } from '../proposals/jobs.ts'
import { rateJobs } from '../rates/jobs.ts'
import { reconciliationJobs } from '../reconciliation/jobs.ts'
import { returnJobs } from '../returns/jobs.ts'
import { sessionJobs } from '../sessions/jobs.ts'
import { signInJobs } from '../signIn/jobs.ts'
import { throttleJobs } from '../throttle/jobs.ts'
import { transactionJobs } from '../transactions/jobs.ts'
import { unseenJobs } from '../unseen/jobs.ts'
import { walletJobs } from '../wallets/jobs.ts'
import { windDownJobs } from '../windDown/jobs.ts'

/** The jobs of every room. */
export const roomJobs: readonly Job<Context>[] = [
  ...investmentJobs,
  ...noticeJobs,
  ...mailJobs,
  ...ledgerJobs,
  ...transactionJobs,
  ...walletJobs,
  ...nodeJobs,
  ...unseenJobs,
  ...batchJobs,
  ...payoutJobs,
  ...custodyJobs,
  ...reconciliationJobs,
  ...proposalJobs,
  ...claimJobs,
  ...returnJobs,
  ...loanJobs,
  ...windDownJobs,
  ...poolJobs,
  ...liabilityJobs,
  ...rateJobs,
  ...throttleJobs,
  ...linkJobs,
  ...signInJobs,
  ...factorJobs,
  ...sessionJobs,
]
