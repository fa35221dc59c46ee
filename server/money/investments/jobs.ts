import { FULL_DAY_SECONDS } from '../../base/configuration/environment.ts'
import type { Job } from '../../base/process/job.ts'
import type { WithDb, WithLedger } from '../../http/context.ts'
import { payMaturities } from './payMaturities.ts'

export const investmentJobs: readonly Job<WithDb & WithLedger>[] = [
  {
    name: 'maturities',
    at: '* * * * *',
    repeatAfter: ({ daySeconds }) => (daySeconds < FULL_DAY_SECONDS ? 1 : undefined),
    attempts: 3,
    run: async (context, { log }) => {
      const { matured, paid } = await payMaturities(context)
      if (matured > 0) log.info({ matured, paidCents: String(paid) }, 'investments matured')
    },
  },
]
