import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Job } from '../../base/process/job.ts'
import { forgetOldCounts } from './counts.ts'

export const throttleJobs: readonly Job<{ readonly db: Kysely<Schema> }>[] = [
  {
    name: 'attempts',
    at: '*/10 * * * *',
    run: async ({ db }) => void (await forgetOldCounts(db)),
  },
]
