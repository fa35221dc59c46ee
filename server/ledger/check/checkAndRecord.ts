import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import { checkLedger, findingOf } from './check.ts'

/** Selects the moment and the finding of the last check. No row before the first. */
export const selectLastCheck = sql<{ readonly checked_at: Date; readonly finding: string | null }>`
  (SELECT checked_at, finding FROM ledger_checks ORDER BY id DESC LIMIT 1)`

/** Checks the whole ledger and stores the result. Returns the finding, if there is one. */
export const checkAndRecord = async (
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
