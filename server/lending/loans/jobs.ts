import type { Job } from '../../base/process/job.ts'
import type { OnLedger, WithConfig } from '../../http/context.ts'
import { postAgreed } from './agreed.ts'
import { postAgreedRepayments } from './agreedRepayments.ts'
import { countArrears, postDefaults } from './arrears.ts'
import { postCovers } from './covers.ts'
import { postDisbursements } from './disburse.ts'
import { postSendings, postSentLoans } from './send.ts'
import { postShares } from './shares.ts'

export const loanJobs: readonly Job<OnLedger & WithConfig>[] = [
  {
    name: 'loans',
    at: '* * * * *',
    attempts: 1,
    run: async (context, { log }) => {
      const agreed = await postAgreed(context)
      if (agreed > 0) log.info({ agreed }, 'steps of loans booked')
      const repaid = await postAgreedRepayments(context)
      if (repaid > 0) log.info({ repaid }, 'agreed repayments and reversals booked')
      const covered = await postCovers(context)
      if (covered > 0) log.info({ covered }, 'losses borne')
      const shared = await postShares(context)
      if (shared > 0) log.info({ shared }, 'losses shared')
      const disbursed = await postDisbursements(context)
      if (disbursed > 0) log.info({ disbursed }, 'loans disbursed')
      const sendings = await postSendings(context)
      if (sendings > 0) log.info({ sendings }, 'money of loans reserved or freed')
    },
  },
  {
    // A trigger adds it for each confirmation. The cron time is for refusals that pass.
    name: 'sentLoans',
    at: '* * * * *',
    attempts: 1,
    alone: true,
    run: async (context, { log }) => {
      const begun = await postSentLoans(context)
      if (begun > 0) log.info({ begun }, 'loans begun by what the chain shows')
    },
  },
  {
    name: 'arrears',
    at: '5 0 * * *',
    atStart: true,
    attempts: 1,
    run: async (context, { log }) => {
      const moved = await countArrears(context.db, context.config.loanTolerance)
      const defaulted = await postDefaults(context)
      if (moved + defaulted > 0) log.info({ moved, defaulted }, 'arrears counted')
    },
  },
]
