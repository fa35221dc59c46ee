import type { Job } from '../../base/process/job.ts'
import { networkJobs, onNode } from '../../chain/nodes/networkJobs.ts'
import type { OnLedger, WithConfig } from '../../http/context.ts'
import { followPayouts } from './followPayouts.ts'

type PayoutJobsContext = OnLedger & WithConfig

export const payoutJobs: readonly Job<PayoutJobsContext>[] = networkJobs(
  'payouts',
  onNode(async (context, asked, { log }) => {
    const { network } = asked.settings
    const { sent, completed, raised } = await followPayouts(context, asked)
    if (sent + completed > 0)
      log.info({ network, sent, completed }, 'payouts marked by what the chain shows')
    if (raised > 0) log.warn({ network, raised }, 'payouts need a look')
  }),
)
