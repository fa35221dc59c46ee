import { cents, dollarsFromCents } from '@pool/contract/money'
import { timestampFromDate } from '@pool/contract/timestamp'
import type { Transaction } from '@pool/contract/transactions'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** Transactions, newest first: of one user, or of everybody when no user is named. */
export const listTransactions = async (db: Kysely<Schema>, { userId }: { userId?: string | undefined }): Promise<Transaction[]> => {
  const rows = await db
    .selectFrom('transactions')
    .innerJoin('users', 'users.id', 'transactions.user_id')
    .leftJoin('wallets', 'wallets.id', 'transactions.wallet_id')
    .selectAll('transactions')
    .select(['users.username', 'wallets.address', 'wallets.network_name'])
    .$if(userId !== undefined, (query) => query.where('transactions.user_id', '=', userId ?? ''))
    .orderBy('transactions.created_at', 'desc')
    .orderBy('transactions.id', 'desc')
    .execute()
  return rows.map((row) => ({
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
    networkName: row.network_name ?? '',
    destinationAddress: row.destination_address,
    reason: row.reason,
    createdAt: timestampFromDate(row.created_at),
    updatedAt: timestampFromDate(row.updated_at),
  }))
}
