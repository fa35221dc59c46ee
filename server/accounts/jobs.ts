import { factorJobs } from './factors/jobs.ts'
import { linkJobs } from './links/jobs.ts'
import { mailJobs } from './mail/jobs.ts'
import { signInJobs } from './signIn/jobs.ts'
import { throttleJobs } from './throttle/jobs.ts'

/** The jobs about accounts. */
export const accountJobs = [...factorJobs, ...linkJobs, ...mailJobs, ...signInJobs, ...throttleJobs]
