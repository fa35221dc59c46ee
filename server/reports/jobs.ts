import { liabilityJobs } from './liabilities/jobs.ts'
import { noticeJobs } from './notices/jobs.ts'
import { todayJobs } from './today/jobs.ts'

/** The jobs about reports. */
export const reportJobs = [...liabilityJobs, ...noticeJobs, ...todayJobs]
