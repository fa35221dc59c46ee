import { type NetworkName, networks } from '@pool/contract/networks'
import type { Context } from '../context.ts'
import { openNode } from '../nodes/open.ts'
import { settingsOf } from '../nodes/settings.ts'
import type { Job } from '../process/job.ts'
import { followPayouts } from './followPayouts.ts'

type Needed = Pick<Context, 'config' | 'db' | 'keys' | 'ledger'>

/** Networks whose payouts this process follows at the moment. Other processes may do so, too. */
const busy = new Set<NetworkName>()

/** A job for each network, as each asks a node of its own. */
export const payoutJobs: readonly Job<Needed>[] = networks.map(
  ({ name: network, words: [id] }) => ({
    name: `payouts-${id}`,
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
        const { sent, completed, raised } = await followPayouts(context, {
          settings,
          node,
          stopping,
        })
        if (sent + completed > 0)
          log.info({ network, sent, completed }, 'payouts marked by what the chain shows')
        if (raised > 0) log.warn({ network, raised }, 'payouts need a look')
      } finally {
        busy.delete(network)
      }
    },
  }),
)
