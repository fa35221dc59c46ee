import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { POOL_OWNER } from '../families/accounts.ts'

/** Deletes keys older than any client's retries, except the pool's. Returns their number. */
export const forgetOldKeys = async (db: Kysely<Schema>): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where('actor_id', '<>', POOL_OWNER)
    .where(sql<boolean>`created_at < now() - interval '7 days'`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
