import type { Job } from '../../base/process/job.ts'
import { networkJobs, onNode } from '../../chain/nodes/networkJobs.ts'
import type { OnLedger, WithConfig } from '../../http/context.ts'
import { creditPayments } from './creditPayments.ts'
import { expireDeposits } from './expireDeposits.ts'
import { reverseDeposits } from './reverseDeposits.ts'

type TransactionJobsContext = OnLedger & WithConfig

const creditJobs: readonly Job<TransactionJobsContext>[] = networkJobs(
  'credit',
  onNode(async (context, asked, { log }) => {
    const { network } = asked.settings
    try {
      const reversed = await reverseDeposits(context, asked)
      if (reversed > 0) log.warn({ network, reversed }, 'coins of credited deposits are gone')
    } finally {
      const { opened, credited } = await creditPayments(context, asked)
      if (opened > 0) log.info({ network, opened }, 'coins came without a request')
      if (credited > 0) log.info({ network, credited }, 'deposits credited by the product')
    }
  }),
)

export const transactionJobs: readonly Job<TransactionJobsContext>[] = [
  ...creditJobs,
  {
    name: 'expiry',
    at: '17 4 * * *',
    run: async (context, { log }) => {
      const expired = await expireDeposits(context, context.config.depositTtlDays)
      if (expired > 0) log.info({ expired }, 'deposits expired')
    },
  },
]
