import type { Job } from '../../base/process/job.ts'
import { forgetOldMails } from './outbox.ts'
import { type MailContext, sendMails } from './send.ts'

export const mailJobs: readonly Job<MailContext>[] = [
  {
    // A trigger adds it for each new mail. The cron time is for mails that were deferred.
    name: 'mails',
    at: '* * * * *',
    attempts: 1,
    alone: true,
    outside: true,
    run: async (context, { log, stopping }) => {
      const { config } = context
      if (config.mail === undefined) return
      // Loaded where an SMTP server is configured.
      const { openTransport } = await import('./transport.ts')
      const transport = openTransport({ ...config, ...config.mail })
      const sent = await sendMails(context, transport, { log, stopping })
      if (sent > 0) log.info({ sent }, 'mails sent')
    },
  },
  {
    name: 'oldMails',
    at: '37 4 * * *',
    run: async ({ db }, { log }) =>
      log.info({ mails: await forgetOldMails(db) }, 'old mails forgotten'),
  },
]
