import type { Factor, FactorKind } from '@pool/contract/accounts/factors'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import { isLeaked } from './secrets.ts'

/** The kinds of factors that a user has. */
export const kindsOf = async (db: Kysely<Schema>, userId: string): Promise<FactorKind[]> => {
  const rows = await db
    .selectFrom('factors')
    .select('kind')
    .distinct()
    .where('user_id', '=', userId)
    .orderBy('kind')
    .execute()
  return rows.map(({ kind }) => kind)
}

/** A user's factors, the oldest first, and the number of recovery codes left. */
export const listFactors = async (
  { db, keys }: { readonly db: Kysely<Schema>; readonly keys: Keys },
  userId: string,
): Promise<{ readonly factors: Factor[]; readonly recoveryCodes: number }> => {
  const rows = await db
    .selectFrom('factors')
    .select(['id', 'kind', 'name', 'key_id', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const { left } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<bigint>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  const factors = rows.map(({ id, kind, name, key_id, created_at, last_used_at }) => ({
    id,
    kind,
    name,
    createdAt: timestampFromDate(created_at),
    lastUsedAt: last_used_at && timestampFromDate(last_used_at),
    leaked: isLeaked(keys, key_id),
  }))
  return { factors, recoveryCodes: Number(left) }
}

/** The factors of a user, whose row is locked so that they change one at a time. */
export const factorsOf = async (transaction: Kysely<Schema>, userId: string) => {
  await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .execute()
  return transaction
    .selectFrom('factors')
    .select(['id', 'kind', 'name', 'key_id as keyId'])
    .where('user_id', '=', userId)
    .execute()
}
