import { networks } from '@pool/contract/base/networks'
import { UNPAID_WARNING } from '@pool/contract/chain/addressKeys'
import { type Stock, usualStatuses } from '@pool/contract/chain/wallets'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { tallied } from '../../base/lists/tallies.ts'
import { unpaidOf } from './addressKeys.ts'

const counted = (network: string, statuses: readonly string[]) =>
  tallied('rows', { noun: 'wallets', kinds: [network], statuses })

/**
 * Wallets in use and available, of each network that has any. Read from the tallies, but for the
 * unpaid ones of a key.
 */
export const readStock = async (db: Kysely<Schema>): Promise<Stock[]> => {
  const stock = networks.map(
    ({ name }) =>
      sql`(${name}::text, ${counted(name, ['available'])}::int, ${counted(name, usualStatuses)}::int)`,
  )
  const { rows } = await sql<Stock & { unpaid: number | null }>`
    SELECT "networkName", available, total, ${unpaidOf(sql`k.id`)} AS unpaid
    FROM (VALUES ${sql.join(stock)}) AS counted ("networkName", available, total)
    LEFT JOIN address_keys AS k ON k.network_name = "networkName" AND k.ended_at IS NULL
    WHERE total > 0`.execute(db)
  return rows.map(({ unpaid, ...stock }) => ({
    ...stock,
    ...(unpaid !== null && unpaid >= UNPAID_WARNING && { unpaid }),
  }))
}
