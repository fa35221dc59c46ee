import { networks } from '@pool/contract/base/networks'
import { onSession } from '../../base/db/session.ts'
import type { Job } from '../../base/process/job.ts'
import { NodeFault } from '../../chain/nodes/fault.ts'
import { withLock } from '../../chain/nodes/jobs.ts'
import { openNode } from '../../chain/nodes/open.ts'
import { settingsOf } from '../../chain/nodes/settings.ts'
import type { WithConfig, WithKeys } from '../../http/context.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import { compareBalances } from './compareBalances.ts'
import { reconcile } from './reconcile.ts'
import { withLockOrSkip } from './withLockOrSkip.ts'

export const reconciliationJobs: readonly Job<OnRecord & WithConfig>[] = [
  {
    name: 'reconciliation',
    at: '47 * * * *',
    attempts: 1,
    outside: true,
    wanted: ({ chains }) => chains.length > 0,
    run: async (context, { log, stopping, session, leaveUndone }) => {
      const outcome = await withLockOrSkip(session, () => reconcile(context, { stopping }))
      if (!outcome) return leaveUndone()
      const { isWhole, isPausing, breakCents } = outcome
      if (isWhole) log.info('coins on the chains equal the books')
      else log.warn({ breakCents: String(breakCents), isPausing }, 'coins differ from the books')
    },
  },
]

/** A job for each network that has balances, each on a session of its own. */
export const unseenJobs: readonly Job<WithKeys & WithConfig>[] = networks.map(
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
