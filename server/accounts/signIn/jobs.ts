import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Job } from '../../base/process/job.ts'
import { forgetOldDevices } from './newDevice.ts'

export const signInJobs: readonly Job<{ readonly db: Kysely<Schema> }>[] = [
  {
    name: 'oldDevices',
    at: '37 4 * * *',
    run: async ({ db }, { log }) =>
      log.info({ devices: await forgetOldDevices(db) }, 'old devices forgotten'),
  },
]
