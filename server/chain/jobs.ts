import { nodeJobs } from './nodes/jobs.ts'
import { rateJobs } from './rates/jobs.ts'
import { walletJobs } from './wallets/jobs.ts'

/** The jobs about chains. */
export const chainJobs = [...nodeJobs, ...rateJobs, ...walletJobs]
