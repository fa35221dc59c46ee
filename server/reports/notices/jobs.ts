import type { MailContext } from '../../accounts/mail/send.ts'
import type { Job } from '../../base/process/job.ts'
import { mailAnnounced } from './mailAnnounced.ts'
import { mailNotices } from './mailNotices.ts'

export const noticeJobs: readonly Job<MailContext>[] = [
  {
    name: 'notices',
    at: '* * * * *',
    attempts: 1,
    alone: true,
    run: async (context, { log }) => {
      const queued = (await mailAnnounced(context)) + (await mailNotices(context))
      if (queued > 0) log.info({ queued }, 'notices turned into mails')
    },
  },
]
