import { loanJobs } from './loans/jobs.ts'
import { poolJobs } from './pool/jobs.ts'

/** The jobs about lending. */
export const lendingJobs = [...loanJobs, ...poolJobs]
