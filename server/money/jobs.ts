import { claimJobs } from './claims/jobs.ts'
import { investmentJobs } from './investments/jobs.ts'

/** The jobs about money. */
export const moneyJobs = [...claimJobs, ...investmentJobs]
