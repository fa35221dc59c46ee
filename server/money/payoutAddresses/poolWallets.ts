import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { isAheadOfKeys } from './aheadOfKeys.ts'

/** True for an address of the pool, in any case: a deposit address or one of its own. */
export const isPoolWallet = async (db: Kysely<Schema>, address: string): Promise<boolean> => {
  const found = await db
    .selectFrom('wallets')
    .select('id')
    .where(sql<boolean>`lower(address) = lower(${address})`)
    .executeTakeFirst()
  if (found !== undefined) return true
  const own = await db
    .selectFrom('own_addresses')
    .select('id')
    .where(sql<boolean>`lower(address) = lower(${address})`)
    .executeTakeFirst()
  return own !== undefined
}

/** Throws `poolWallet` for an address of the pool or of its keys: money would go in a circle. */
export const refusePoolWallet = async (
  db: Kysely<Schema>,
  address: string,
  field: string,
): Promise<void> => {
  if ((await isPoolWallet(db, address)) || (await isAheadOfKeys(db, address)))
    throw refusal('poolWallet', { field })
}
