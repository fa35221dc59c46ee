import type { Kysely } from 'kysely'
import type { Schema } from '../base/db/schema.ts'
import type { Keys } from '../base/keys/keys.ts'
import type { Job } from '../base/process/job.ts'
import { makeMonths } from './archive/months.ts'
import { checkAndRecord } from './check/checkAndRecord.ts'
import { forgetOldKeys } from './engine/forgetKeys.ts'

type LedgerJobsContext = { readonly db: Kysely<Schema>; readonly keys: Keys }

export const ledgerJobs: readonly Job<LedgerJobsContext>[] = [
  {
    name: 'ledgerCheck',
    at: '23 * * * *',
    // Checks a restored or moved database soon.
    atStart: true,
    attempts: 3,
    run: async ({ db, keys }, { log }) => {
      const finding = await checkAndRecord(db, keys)
      if (finding) log.fatal({ finding }, 'THE LEDGER IS NOT WHOLE')
    },
  },
  {
    name: 'months',
    at: '57 3 * * *',
    run: async ({ db }, { log }) => {
      const made = await makeMonths(db)
      if (made > 0) log.info({ made }, 'months of movements made')
    },
  },
  {
    name: 'oldKeys',
    at: '37 4 * * *',
    run: async ({ db }, { log }) =>
      log.info({ keys: await forgetOldKeys(db) }, 'old idempotency keys forgotten'),
  },
]
