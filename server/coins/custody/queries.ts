import { timestampFromDate } from '@pool/contract/base/timestamp'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { type CoinMovementRow, CUSTODY_SIZE, type OwnAddress } from '@pool/contract/coins/custody'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

type AddressRow = Omit<OwnAddress, 'createdAt'> & { readonly at: Date }

/** Own addresses, those that people named before those that were derived. */
export const listOwnAddresses = async (db: Kysely<Schema>): Promise<OwnAddress[]> => {
  const { rows } = await sql<AddressRow>`
    SELECT id, network_name AS network, address, class, created_at AS at FROM own_addresses
    ORDER BY class = 'CHANGE', created_at DESC, id DESC LIMIT ${CUSTODY_SIZE}`.execute(db)
  return rows.map(({ at, ...row }) => ({ ...row, createdAt: timestampFromDate(at) }))
}

type MovementRow = Omit<CoinMovementRow, 'amount' | 'at'> & {
  readonly units: string
  readonly decimals: number
  readonly at: Date
}

/** The newest movements of coins. */
export const listCoinMovements = async (db: Kysely<Schema>): Promise<CoinMovementRow[]> => {
  const { rows } = await sql<MovementRow>`
    SELECT id, at, network_name AS network, transaction_id AS transaction, asset, units::text, decimals, kind,
      from_account AS "from", to_account AS "to", takes_back IS NOT NULL AS "isTakenBack"
    FROM coin_movements ORDER BY at DESC, id DESC LIMIT ${CUSTODY_SIZE}`.execute(db)
  return rows.map(({ units, decimals, at, ...row }) => ({
    ...row,
    at: timestampFromDate(at),
    amount: textOfUnits(BigInt(units), decimals),
  }))
}
