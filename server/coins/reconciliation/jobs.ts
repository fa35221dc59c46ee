import type { Job } from '../../base/process/job.ts'
import type { Context } from '../../http/context.ts'
import { reconcile } from './reconcile.ts'
import { withLockOrSkip } from './withLockOrSkip.ts'

export const reconciliationJobs: readonly Job<Pick<Context, 'config' | 'db' | 'keys'>>[] = [
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
