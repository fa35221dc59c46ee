import type { MailContext } from '../../accounts/mail/send.ts'
import type { Job } from '../../base/process/job.ts'
import { mailMorning } from './morningMail.ts'

export const todayJobs: readonly Job<MailContext>[] = [
  {
    name: 'morning',
    // Each hour, so that a morning without a process is made up for.
    at: '2 * * * *',
    attempts: 1,
    alone: true,
    run: async (context, { log }) => {
      const queued = await mailMorning(context, new Date())
      if (queued > 0) log.info({ queued }, 'mails of the morning queued')
    },
  },
]
