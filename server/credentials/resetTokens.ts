import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** SHA-256 of a token, the only part of it that a table stores. */
export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Ends a user's open links. */
export const endResets = async (transaction: Kysely<Schema>, userId: string): Promise<void> => {
  await transaction
    .updateTable('password_resets')
    .set({ used_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()
}

/** Deletes links that ran out a day ago. Returns their number. */
export const forgetOldResets = async (db: Kysely<Schema>): Promise<number> => {
  const { numAffectedRows } =
    await sql`DELETE FROM password_resets WHERE expires_at < now() - interval '1 day'`.execute(db)
  return Number(numAffectedRows ?? 0)
}
