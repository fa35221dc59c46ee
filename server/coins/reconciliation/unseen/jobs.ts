import { networks } from '@pool/contract/base/networks'
import { onSession } from '../../../base/db/session.ts'
import type { Job } from '../../../base/process/job.ts'
import { NodeFault } from '../../../chain/nodes/fault.ts'
import { withLock } from '../../../chain/nodes/jobs.ts'
import { openNode } from '../../../chain/nodes/open.ts'
import { settingsOf } from '../../../chain/nodes/settings.ts'
import type { Context } from '../../../http/context.ts'
import { compareBalances } from './compareBalances.ts'

/** A job for each network that has balances, each on a session of its own. */
export const unseenJobs: readonly Job<Pick<Context, 'config' | 'keys'>>[] = networks.map(
  ({ name: network, words: [id] }) => ({
    name: `unseen-${id}`,
    at: '23 * * * *',
    attempts: 1,
    outside: true,
    wanted: (config) => settingsOf(config, network)?.kind === 'evm',
    run: async ({ config, keys }, { log, stopping, session, leaveUndone }) => {
      const settings = settingsOf(config, network)
      if (settings?.kind !== 'evm') return
      try {
        const isHeld = await withLock(
          network,
          session,
          async (client) => {
            const context = { db: onSession(client), keys }
            const node = openNode(settings, { stopping })
            const found = await compareBalances(context, { settings, node, stopping })
            if (found) log.warn({ network, found }, 'coins arrived that no payment shows')
          },
          'balances',
        )
        if (!isHeld) leaveUndone()
      } catch (error) {
        leaveUndone()
        // The chain follower reports node failures, and the next hour tries again.
        if (!(error instanceof NodeFault)) throw error
        log.warn({ network, words: error.message }, 'the balances of a network were not compared')
      }
    },
  }),
)
