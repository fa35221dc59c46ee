import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Job } from '../process/job.ts'
import { forgetOldCounts } from './counts.ts'

export const throttleJobs: readonly Job<{ readonly db: Kysely<Schema> }>[] = [
  {
    name: 'attempts',
    at: '*/10 * * * *',
    run: async ({ db }) => void (await forgetOldCounts(db)),
  },
]
