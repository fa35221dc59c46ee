import { refusal } from '@pool/contract/refusals'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** Deletes a wallet that nobody has been shown (threat 18). Throws `walletNotFound` and `walletAssigned`. */
export const deleteWallet = async (db: Kysely<Schema>, id: string): Promise<void> => {
  const deleted = await db.deleteFrom('wallets').where('id', '=', id).where('owner_id', 'is', null).returning('id').executeTakeFirst()
  if (deleted) return
  const kept = await db.selectFrom('wallets').select('id').where('id', '=', id).executeTakeFirst()
  throw refusal(kept ? 'walletAssigned' : 'walletNotFound')
}
