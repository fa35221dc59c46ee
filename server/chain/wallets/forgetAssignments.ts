import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/** Deletes assignments too old to limit new wallets. Returns their number. */
export const forgetAssignments = async (db: Kysely<Schema>): Promise<number> => {
  const { numAffectedRows } =
    await sql`DELETE FROM wallet_assignments WHERE assigned_at < now() - interval '1 day'`.execute(
      db,
    )
  return Number(numAffectedRows ?? 0)
}
