import { DEFAULT_DESTINATION } from '@pool/contract/messages'
import { timestampFromDate } from '@pool/contract/timestamp'
import type { Transaction } from '@pool/contract/transactions'
import { networks } from '@pool/contract/wallets'
import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely'
import { isAddressOn, networksOf } from '../addresses.ts'
import type { Config } from '../config.ts'
import type { Schema } from '../db/schema.ts'

/** What the payout address in use adds to a row of transactions. */
export type PayoutColumns = { payout_address: string | null; payout_network: string | null; payout_since: Date | null }
export const payoutColumns = ['payout.payout_address', 'payout.payout_network', 'payout.payout_since'] as const

/** For a withdrawal to the Default Address: the payout address that it was paid to, or would be paid to now. */
export const payoutAddressInUse = ({ selectFrom }: ExpressionBuilder<Schema, 'transactions'>) =>
  selectFrom('payout_addresses')
    .whereRef('payout_addresses.user_id', '=', 'transactions.user_id')
    .where('transactions.destination_address', '=', DEFAULT_DESTINATION)
    .where(
      sql<boolean>`payout_addresses.usable_from <= CASE WHEN transactions.status = 'PENDING' THEN now() ELSE transactions.updated_at END
        AND payout_addresses.address = coalesce(transactions.payee_address, payout_addresses.address)`,
    )
    .orderBy('payout_addresses.created_at', 'desc')
    .orderBy('payout_addresses.id', 'desc')
    .limit(1)
    .select([
      'payout_addresses.address as payout_address',
      'payout_addresses.network_name as payout_network',
      'payout_addresses.created_at as payout_since',
    ])
    .as('payout')

type Row = PayoutColumns & Pick<Selectable<Schema['transactions']>, 'type' | 'destination_address' | 'destination_network' | 'created_at'>

/** Where a withdrawal is paid in fact (threat 6); undefined when its destination is no address, and for everything else. */
export const payeeOf = (row: Row, mode: Config['poolMode']): Transaction['payee'] => {
  if (row.type !== 'withdrawal') return undefined
  const { destination_address: address, destination_network: named } = row
  if (address === DEFAULT_DESTINATION) {
    const { payout_address, payout_network, payout_since } = row
    if (payout_address === null || payout_network === null || payout_since === null) return undefined
    return isValid(payout_network, payout_address, mode)
      ? { address: payout_address, networkName: payout_network, since: timestampFromDate(payout_since) }
      : undefined
  }
  const fitting = named === '' ? networksOf(address, mode) : isValid(named, address, mode) ? [named] : []
  if (fitting.length === 0) return undefined
  return { address, networkName: fitting.length === 1 ? (fitting[0] ?? '') : '', since: timestampFromDate(row.created_at) }
}

const isValid = (networkName: string, address: string, mode: Config['poolMode']): boolean =>
  networks.some(({ name }) => name === networkName && isAddressOn(name, address, mode))

/** Where a withdrawal is to be paid. */
export const findPayee = async (db: Kysely<Schema>, transactionId: string, mode: Config['poolMode']): Promise<Transaction['payee']> => {
  const row = await db
    .selectFrom('transactions')
    .leftJoinLateral(payoutAddressInUse, (join) => join.onTrue())
    .select(['type', 'destination_address', 'destination_network', 'transactions.created_at', ...payoutColumns])
    .where('transactions.id', '=', transactionId)
    .executeTakeFirst()
  return row && payeeOf(row, mode)
}
