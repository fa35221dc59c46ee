import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/**
 * Forgets from where wallets were asked for once that limits nobody any more. Returns how many
 * there were.
 */
export const forgetAssignments = async (db: Kysely<Schema>): Promise<number> => {
  const { numAffectedRows } =
    await sql`DELETE FROM wallet_assignments WHERE assigned_at < now() - interval '1 day'`.execute(
      db,
    )
  return Number(numAffectedRows ?? 0)
}
