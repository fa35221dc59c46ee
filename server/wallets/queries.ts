import { timestampFromDate } from '@pool/contract/timestamp'
import type { Wallet } from '@pool/contract/wallets'
import type { Kysely, Selectable } from 'kysely'
import type { Schema } from '../db/schema.ts'

export const walletOnTheWire = (row: Selectable<Schema['wallets']>): Wallet => ({
  id: row.id,
  address: row.address,
  networkName: row.network_name,
  assigned: row.owner_id !== null,
  dateCreated: timestampFromDate(row.created_at),
})

/** All wallets, newest first. */
export const listWallets = async (db: Kysely<Schema>): Promise<Wallet[]> => {
  const rows = await db.selectFrom('wallets').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
  return rows.map(walletOnTheWire)
}
