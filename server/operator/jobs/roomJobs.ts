import { factorJobs } from '../../accounts/factors/jobs.ts'
import { linkJobs } from '../../accounts/links/jobs.ts'
import { mailJobs } from '../../accounts/mail/jobs.ts'
import { signInJobs } from '../../accounts/signIn/jobs.ts'
import { throttleJobs } from '../../accounts/throttle/jobs.ts'
import { proposalJobs } from '../../agreements/proposals/jobs.ts'
import type { Job } from '../../base/process/job.ts'
import { sessionJobs } from '../../base/sessions/jobs.ts'
import { nodeJobs } from '../../chain/nodes/jobs.ts'
import { rateJobs } from '../../chain/rates/jobs.ts'
import { walletJobs } from '../../chain/wallets/jobs.ts'
import { batchJobs } from '../../coins/batches/jobs.ts'
import { custodyJobs } from '../../coins/custody/jobs.ts'
import { payoutJobs } from '../../coins/payouts/jobs.ts'
import { reconciliationJobs } from '../../coins/reconciliation/jobs.ts'
import { unseenJobs } from '../../coins/reconciliation/unseen/jobs.ts'
import type { Context } from '../../http/context.ts'
import { ledgerJobs } from '../../ledger/jobs.ts'
import { loanJobs } from '../../lending/loans/jobs.ts'
import { poolJobs } from '../../lending/pool/jobs.ts'
import { windDownJobs } from '../../lending/windDown/jobs.ts'
import { claimJobs } from '../../money/claims/jobs.ts'
import { returnJobs } from '../../money/claims/returns/jobs.ts'
import { investmentJobs } from '../../money/investments/jobs.ts'
import { liabilityJobs } from '../../reports/liabilities/jobs.ts'
import { noticeJobs } from '../../reports/notices/jobs.ts'
import { transactionJobs } from '../../requests/transactions/jobs.ts'

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
