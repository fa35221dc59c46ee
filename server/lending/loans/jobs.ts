import type { Job } from '../../base/process/job.ts'
import type { OnLedger, WithConfig } from '../../http/context.ts'
import { postAgreedFiles } from './agreedFiles.ts'
import { countArrears, postDefaults } from './arrears.ts'
import { postSentLoans } from './send.ts'
import { postShares } from './shares.ts'

export const loanJobs: readonly Job<OnLedger & WithConfig>[] = [
  {
    name: 'loans',
    at: '* * * * *',
    attempts: 1,
    run: async (context, { log }) => {
      const files = await postAgreedFiles(context)
      if (files > 0) log.info({ files }, 'agreed files of repayments booked')
      const shared = await postShares(context)
      if (shared > 0) log.info({ shared }, 'losses shared')
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
