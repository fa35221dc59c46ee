import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Job } from '../../base/process/job.ts'
import { forgetOldLinks } from './links.ts'

export const linkJobs: readonly Job<{ readonly db: Kysely<Schema> }>[] = [
  {
    name: 'cleanup',
    at: '37 4 * * *',
    run: async ({ db }, { log }) =>
      log.info({ links: await forgetOldLinks(db) }, 'old links forgotten'),
  },
]
