import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Keys } from '../keys/keys.ts'
import { checkLedger, findingOf } from './check.ts'

/** Checks the whole ledger and stores the result. Returns the finding, if there is one. */
export const keepChecking = async (
  db: Kysely<Schema>,
  keys?: Keys,
): Promise<string | undefined> => {
  const check = await checkLedger(db, keys)
  const finding = findingOf(check)
  await db
    .insertInto('ledger_checks')
    .values({ accounts: check.accounts, transfers: check.transfers, finding: finding ?? null })
    .execute()
  return finding
}
