import type { Job } from '../../base/process/job.ts'
import type { OnLedger, WithConfig } from '../../http/context.ts'
import { postCoins } from './postCoins.ts'
import { postFees } from './postFees.ts'

/** Seconds between two looks at what the followers wrote. */
const EVERY = 10

export const custodyJobs: readonly Job<OnLedger & WithConfig>[] = [
  {
    name: 'coins',
    at: '* * * * *',
    attempts: 1,
    wanted: ({ chains }) => chains.length > 0,
    repeatAfter: () => EVERY,
    run: async (context, { log }) => {
      const posted = await postCoins(context.db, context.config)
      const fees = await postFees(context)
      if (posted + fees > 0) log.info({ posted, fees }, 'coin movements posted')
    },
  },
]
