import { loanJobs } from './loans/jobs.ts'
import { poolJobs } from './pool/jobs.ts'
import { windDownJobs } from './windDown/jobs.ts'

/** The jobs about lending. */
export const lendingJobs = [...loanJobs, ...poolJobs, ...windDownJobs]
