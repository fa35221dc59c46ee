import { networks } from '@pool/contract/networks'
import { type Stock, usualStatuses } from '@pool/contract/wallets'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { tallied } from '../tallies/tallies.ts'

const counted = (network: string, statuses: readonly string[]) =>
  tallied('rows', { noun: 'wallets', kinds: [network], statuses })

/** Wallets in use and available, of each network that has any. Read from the tallies. */
export const readStock = async (db: Kysely<Schema>): Promise<Stock[]> => {
  const stock = networks.map(
    ({ name }) =>
      sql`(${name}::text, ${counted(name, ['available'])}::int, ${counted(name, usualStatuses)}::int)`,
  )
  const { rows } = await sql<Stock>`
    SELECT "networkName", available, total
    FROM (VALUES ${sql.join(stock)}) AS counted ("networkName", available, total)
    WHERE total > 0`.execute(db)
  return rows
}
