import { networks } from '@pool/contract/networks'
import type { Context } from '../context.ts'
import { openNode } from '../nodes/open.ts'
import { settingsOf } from '../nodes/settings.ts'
import type { Job } from '../process/job.ts'
import { creditPayments } from './creditPayments.ts'
import { expireDeposits } from './expireDeposits.ts'

type Needed = Pick<Context, 'config' | 'db' | 'keys' | 'ledger'>

/** A job for each network, as each asks a node of its own. */
const creditJobs: readonly Job<Needed>[] = networks.map(({ name: network, words: [id] }) => ({
  name: `credit-${id}`,
  at: '* * * * *',
  attempts: 1,
  alone: true,
  outside: true,
  wanted: (config) => settingsOf(config, network) !== undefined,
  repeatAfter: (config) => settingsOf(config, network)?.pollSeconds,
  run: async (context, { log, stopping }) => {
    const settings = settingsOf(context.config, network)
    if (!settings) return
    const node = openNode(settings, { stopping })
    const { opened, credited } = await creditPayments(context, { settings, node, stopping })
    if (opened > 0) log.info({ network, opened }, 'coins came without a request')
    if (credited > 0) log.info({ network, credited }, 'deposits credited by the product')
  },
}))

export const transactionJobs: readonly Job<Needed>[] = [
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
