import { networks } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { DEFAULT_DESTINATION } from '@pool/contract/requests/requests'
import type { Transaction } from '@pool/contract/requests/transactions'
import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely'
import { isAddressOn, networksOf } from '../../base/chains/networks.ts'
import type { Config } from '../../base/configuration/config.ts'
import type { Schema } from '../../base/db/schema.ts'
import { firstNamed, waitHours } from '../../money/payoutAddresses/firstNamed.ts'
import { isPoolWallet } from '../../money/payoutAddresses/poolWallets.ts'

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

const isInUse = sql<boolean>`payout_addresses.user_id = transactions.user_id
  AND transactions.destination_address = ${DEFAULT_DESTINATION}
  AND payout_addresses.usable_from <= CASE WHEN transactions.status = 'PENDING' THEN now() ELSE transactions.updated_at END
  AND payout_addresses.address = coalesce(transactions.payee_address, payout_addresses.address)`

/** The payout address for a withdrawal to the Default Address: as it was paid, or now. */
export const payoutAddressInUse = ({ selectFrom }: ExpressionBuilder<Schema, 'transactions'>) =>
  selectFrom('payout_addresses')
    .where(isInUse)
    .orderBy('payout_addresses.created_at', 'desc')
    .orderBy('payout_addresses.id', 'desc')
    .limit(1)
    .select([
      'payout_addresses.address as saved_address',
      'payout_addresses.network_name as saved_network',
      'payout_addresses.created_at as saved_since',
    ])
    .as('in_use')

/**
 * The network of a deposit's wallet, or the one that a withdrawal was sent on or is to be paid on.
 * Scalar queries, so that each row looks up its own and no other.
 */
export const networkOf = sql<string | null>`CASE transactions.type
  WHEN 'deposit' THEN (SELECT network_name FROM wallets WHERE wallets.id = transactions.wallet_id)
  WHEN 'withdrawal' THEN coalesce(transactions.sent_network, nullif(transactions.destination_network, ''),
    (SELECT network_name FROM payout_addresses WHERE ${isInUse} ORDER BY created_at DESC, id DESC LIMIT 1)) END`

/** The time at which the investor of a pending withdrawal first named the address to pay. */
export const firstNamedAt =
  sql<Date | null>`CASE WHEN transactions.type = 'withdrawal' AND transactions.status = 'PENDING'
  THEN ${firstNamed(sql`transactions.user_id`, sql`coalesce(in_use.saved_address, transactions.destination_address)`)} END`.as(
    'first_named_at',
  )

type DestinationRow = SavedColumns &
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
export const payeeOf = (row: DestinationRow, mode: Config['poolMode']): Transaction['payee'] => {
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

const addressOf = (row: DestinationRow, mode: Config['poolMode']): Transaction['payee'] => {
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
 * Throws `payeeIsPoolWallet`, in live mode also `destinationUnresolved`, `networkUnknown` and
 * `payeeTooNew`. Needs no lock: naming rows are never deleted, so an address only gets older.
 */
export const requirePayee = async (
  db: Kysely<Schema>,
  transactionId: string,
  mode: Config['poolMode'],
): Promise<void> => {
  const row = await db
    .selectFrom('transactions')
    .leftJoinLateral(payoutAddressInUse, (join) => join.onTrue())
    .select([
      'type',
      'status',
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
  // The response of a repeat is that of its first call.
  if (payee && row.status === 'PENDING' && (await isPoolWallet(db, payee.address)))
    throw refusal('payeeIsPoolWallet')
  if (mode !== 'live') return
  if (!payee) throw refusal('destinationUnresolved')
  if (payee.networkName === '') throw refusal('networkUnknown')
  const { first_named_at: at, named_by } = row
  if (at !== null && at > named_by)
    throw refusal('payeeTooNew', {
      from: timestampFromDate(new Date(at.getTime() + waitHours(mode) * HOUR_MS)),
    })
}
