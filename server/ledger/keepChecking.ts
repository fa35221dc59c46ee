import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { checkLedger, findingOf } from './check.ts'

/** Checks the whole ledger and stores the result. Returns the finding, if there is one. */
export const keepChecking = async (db: Kysely<Schema>): Promise<string | undefined> => {
  const check = await checkLedger(db)
  const finding = findingOf(check)
  await db
    .insertInto('ledger_checks')
    .values({ accounts: check.accounts, transfers: check.transfers, finding: finding ?? null })
    .execute()
  return finding
}
