import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Job } from '../process/job.ts'
import { forgetOldLinks } from './openLinks.ts'

export const linkJobs: readonly Job<{ readonly db: Kysely<Schema> }>[] = [
  {
    name: 'cleanup',
    at: '37 4 * * *',
    run: async ({ db }, { log }) => {
      const resets = await forgetOldLinks(db, 'password_resets')
      const emailLinks = await forgetOldLinks(db, 'email_links')
      const freezeLinks = await forgetOldLinks(db, 'freeze_links')
      log.info({ resets, emailLinks, freezeLinks }, 'old links forgotten')
    },
  },
]
