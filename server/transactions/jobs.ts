import { type NetworkName, networks } from '@pool/contract/networks'
import type { Context } from '../context.ts'
import { openNode } from '../nodes/open.ts'
import { settingsOf } from '../nodes/settings.ts'
import type { Job } from '../process/job.ts'
import { creditPayments } from './creditPayments.ts'
import { expireDeposits } from './expireDeposits.ts'
import { reverseDeposits } from './reverseDeposits.ts'

type Needed = Pick<Context, 'config' | 'db' | 'keys' | 'ledger'>

/** Networks that this process credits at the moment. Other processes may do so, too. */
const busy = new Set<NetworkName>()

/** A job for each network, as each asks a node of its own. */
const creditJobs: readonly Job<Needed>[] = networks.map(({ name: network, words: [id] }) => ({
  name: `credit-${id}`,
  at: '* * * * *',
  attempts: 1,
  atStart: true,
  outside: true,
  wanted: (config) => settingsOf(config, network) !== undefined,
  repeatAfter: (config) => settingsOf(config, network)?.pollSeconds,
  run: async (context, { log, stopping }) => {
    const settings = settingsOf(context.config, network)
    if (!settings || busy.has(network)) return
    busy.add(network)
    try {
      const node = openNode(settings, { stopping })
      const source = { settings, node, stopping }
      try {
        const reversed = await reverseDeposits(context, source)
        if (reversed > 0) log.warn({ network, reversed }, 'coins of credited deposits are gone')
      } finally {
        const { opened, credited } = await creditPayments(context, source)
        if (opened > 0) log.info({ network, opened }, 'coins came without a request')
        if (credited > 0) log.info({ network, credited }, 'deposits credited by the product')
      }
    } finally {
      busy.delete(network)
    }
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
