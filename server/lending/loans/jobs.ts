import type { Job } from '../../base/process/job.ts'
import type { Context } from '../../http/context.ts'
import { postAgreed } from './agreed.ts'
import { postAgreedRepayments } from './agreedRepayments.ts'
import { countArrears, postDefaults } from './arrears.ts'
import { postCovers } from './covers.ts'
import { postDisbursements } from './disburse.ts'
import { postSendings } from './send.ts'
import { postShares } from './shares.ts'

export const loanJobs: readonly Job<Pick<Context, 'db' | 'keys' | 'ledger' | 'config'>>[] = [
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
