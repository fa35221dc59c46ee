import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { POOL_OWNER } from './accounts.ts'

/**
 * Forgets idempotency keys that are older than any client's retries; never the pool's own. Returns
 * how many.
 */
export const forgetOldKeys = async (db: Kysely<Schema>): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where('actor_id', '<>', POOL_OWNER)
    .where(sql<boolean>`created_at < now() - interval '7 days'`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
