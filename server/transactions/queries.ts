import { cents, dollarsFromCents } from '@pool/contract/money'
import { timestampFromDate } from '@pool/contract/timestamp'
import type { listTransactions as endpoint, Transaction } from '@pool/contract/transactions'
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { given, list, type SortKey } from '../db/listing.ts'
import type { Schema } from '../db/schema.ts'
import { isId, ownedSearch } from '../db/search.ts'
import { type PayoutColumns, payeeOf, payoutAddressInUse, payoutColumns } from './payee.ts'

type Request = z.infer<typeof endpoint.query>

const sorts: Readonly<Record<Request['sort'], SortKey>> = {
  createdAt: { by: sql`transactions.created_at`, type: 'timestamptz' },
  updatedAt: { by: sql`transactions.updated_at`, type: 'timestamptz' },
  amount: { by: sql`transactions.amount`, type: 'bigint' },
}

/** Transactions in the order asked for: of one user, or of everybody when no user is named. */
export const listTransactions = async (
  { config, db }: Pick<Context, 'config' | 'db'>,
  { userId, request }: { userId?: string | undefined; request: Request },
) => {
  const found = await ownedSearch(db, { table: 'transactions', search: request.search, only: userId, others })
  const { rows, page } = await list({
    request,
    table: 'transactions',
    sorts,
    matching: db
      .selectFrom('transactions')
      .where(given(userId, (id) => sql`transactions.user_id = ${id}`))
      .where(given(request.status, (status) => sql`transactions.status = ANY (${status})`))
      .where(given(request.type, (type) => sql`transactions.type = ANY (${type})`))
      .where(found),
    present: withNames,
  })
  return { rows: rows.map((row) => onTheWire(row, config.poolMode)), page }
}

/** Transactions with what the wire record says of their owners and wallets. */
export const withNames = (transactions: SelectQueryBuilder<Schema, 'transactions', object>) =>
  transactions
    .innerJoin('users', 'users.id', 'transactions.user_id')
    .leftJoin('wallets', 'wallets.id', 'transactions.wallet_id')
    .leftJoinLateral(payoutAddressInUse, (join) => join.onTrue())
    .selectAll('transactions')
    .select(['users.username', 'wallets.address', 'wallets.network_name', ...payoutColumns])

// A wallet's deposits are its owner's, so they are found through the owner.
const others = (search: string) => sql`
  SELECT id FROM transactions WHERE type = 'withdrawal' AND lower(destination_address) = lower(${search})
  UNION SELECT t.id FROM wallets AS w JOIN transactions AS t ON t.user_id = w.owner_id AND t.wallet_id = w.id WHERE lower(w.address) = lower(${search})
  UNION SELECT id FROM transactions WHERE ${isId('id', search)}`

type Row = Selectable<Schema['transactions']> & PayoutColumns & { username: string; address: string | null; network_name: string | null }

export const onTheWire = (row: Row, mode: Config['poolMode']): Transaction => ({
  id: row.id,
  transactionId: row.id,
  userId: row.user_id,
  username: row.username,
  userEmail: row.username,
  type: row.type,
  amount: dollarsFromCents(cents(row.amount)),
  status: row.status,
  description: row.description,
  walletAddress: row.address ?? '',
  networkName: row.network_name ?? row.destination_network,
  destinationAddress: row.destination_address,
  payee: payeeOf(row, mode),
  reason: row.reason,
  createdAt: timestampFromDate(row.created_at),
  updatedAt: timestampFromDate(row.updated_at),
})
