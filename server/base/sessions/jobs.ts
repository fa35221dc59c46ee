import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Job } from '../process/job.ts'
import { forgetEndedReadingKeys } from './readingKeys.ts'
import { forgetEndedSessions } from './sessions.ts'

export const sessionJobs: readonly Job<{ readonly db: Kysely<Schema> }>[] = [
  {
    name: 'endedSessions',
    at: '37 4 * * *',
    run: async ({ db }, { log }) =>
      log.info(
        { sessions: await forgetEndedSessions(db), readingKeys: await forgetEndedReadingKeys(db) },
        'ended sessions and keys forgotten',
      ),
  },
]
