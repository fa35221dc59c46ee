import { refusal } from '@pool/contract/refusals'
import { timestampFromDate } from '@pool/contract/timestamp'
import { DEFAULT_DESTINATION, type Transaction } from '@pool/contract/transactions'
import { networks } from '@pool/contract/wallets'
import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely'
import { isAddressOn, networksOf } from '../chains/addresses.ts'
import type { Config } from '../config.ts'
import type { Schema } from '../db/schema.ts'
import { firstNamed, waitHours } from '../payoutAddresses/firstNamed.ts'

/** The columns that the payout address in use adds to a transaction. */
export type SavedColumns = {
  saved_address: string | null
  saved_network: string | null
  saved_since: Date | null
}
export const savedColumns = [
  'in_use.saved_address',
  'in_use.saved_network',
  'in_use.saved_since',
] as const

/** The payout address for a withdrawal to the Default Address: as it was paid, or now. */
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
      'payout_addresses.address as saved_address',
      'payout_addresses.network_name as saved_network',
      'payout_addresses.created_at as saved_since',
    ])
    .as('in_use')

/** The time at which the investor of a pending withdrawal first named the address to pay. */
export const firstNamedAt =
  sql<Date | null>`CASE WHEN transactions.type = 'withdrawal' AND transactions.status = 'PENDING'
  THEN ${firstNamed(sql`transactions.user_id`, sql`coalesce(in_use.saved_address, transactions.destination_address)`)} END`.as(
    'first_named_at',
  )

type Row = SavedColumns &
  Pick<
    Selectable<Schema['transactions']>,
    'type' | 'destination_address' | 'destination_network' | 'created_at'
  > & {
    readonly first_named_at: Date | null
  }

/**
 * The address that a withdrawal is paid to (docs/threats.md T6). Undefined for other types, and for
 * a destination that is no address.
 */
export const payeeOf = (row: Row, mode: Config['poolMode']): Transaction['payee'] => {
  const payee = row.type === 'withdrawal' ? addressOf(row, mode) : undefined
  if (!payee || row.first_named_at === null) return payee
  const usableFrom = new Date(row.first_named_at.getTime() + waitHours(mode) * HOUR_MS)
  return {
    ...payee,
    firstNamed: timestampFromDate(row.first_named_at),
    usableFrom: timestampFromDate(usableFrom),
  }
}

const HOUR_MS = 3_600_000

const addressOf = (row: Row, mode: Config['poolMode']): Transaction['payee'] => {
  const { destination_address: address, destination_network: named } = row
  if (address === DEFAULT_DESTINATION) {
    const { saved_address, saved_network, saved_since } = row
    if (saved_address === null || saved_network === null || saved_since === null) return undefined
    return isValid(saved_network, saved_address, mode)
      ? {
          address: saved_address,
          networkName: saved_network,
          since: timestampFromDate(saved_since),
        }
      : undefined
  }
  const fitting =
    named === '' ? networksOf(address, mode) : isValid(named, address, mode) ? [named] : []
  if (fitting.length === 0) return undefined
  return {
    address,
    networkName: fitting.length === 1 ? (fitting[0] ?? '') : '',
    since: timestampFromDate(row.created_at),
  }
}

const isValid = (networkName: string, address: string, mode: Config['poolMode']): boolean =>
  networks.some(({ name }) => name === networkName && isAddressOn(name, address, mode))

/**
 * Throws `destinationUnresolved`, `networkUnknown` or `payeeTooNew` where live mode cannot pay yet.
 * Needs no lock: naming rows are never deleted, so an address only gets older.
 */
export const requirePayee = async (
  db: Kysely<Schema>,
  transactionId: string,
  mode: Config['poolMode'],
): Promise<void> => {
  if (mode !== 'live') return
  const row = await db
    .selectFrom('transactions')
    .leftJoinLateral(payoutAddressInUse, (join) => join.onTrue())
    .select([
      'type',
      'destination_address',
      'destination_network',
      'transactions.created_at',
      ...savedColumns,
      firstNamedAt,
    ])
    .select(sql<Date>`now() - make_interval(hours => ${waitHours(mode)})`.as('named_by'))
    .where('transactions.id', '=', transactionId)
    .executeTakeFirstOrThrow()
  const payee = payeeOf(row, mode)
  if (!payee) throw refusal('destinationUnresolved')
  if (payee.networkName === '') throw refusal('networkUnknown')
  const { first_named_at: at, named_by } = row
  if (at !== null && at > named_by)
    throw refusal('payeeTooNew', {
      from: timestampFromDate(new Date(at.getTime() + waitHours(mode) * HOUR_MS)),
    })
}
