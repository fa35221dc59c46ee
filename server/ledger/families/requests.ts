/** Rows of `transactions`, as several families insert them. */
import type { TransactionStatus, TransactionType } from '@pool/contract/requests/transactions'
import type { Causes, RowToWrite, Statement } from './movement.ts'

const TRANSACTIONS: Statement = {
  name: 'transactions',
  text: `
INSERT INTO transactions
  (id, user_id, type, amount, status, description, destination_address, destination_network, investment_id, wallet_id, fee, created_at, updated_at)
SELECT *, now(), now() FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::uuid[], $10::uuid[], $11::bigint[])`,
}

/** A new transaction. Its amount is in cents. */
export type TransactionRow = {
  readonly id: string
  readonly ownerId: string
  readonly type: TransactionType
  readonly amount: bigint
  readonly status: TransactionStatus
  readonly description?: string
  readonly destinationAddress?: string
  readonly destinationNetwork?: string
  readonly investmentId?: string
  readonly walletId?: string | undefined
  /** Of a withdrawal: the cents of the network's fee that its investor bears. */
  readonly fee?: bigint
}

export const transactionRow = (row: TransactionRow): RowToWrite => ({
  into: TRANSACTIONS,
  values: [
    row.id,
    row.ownerId,
    row.type,
    row.amount,
    row.status,
    row.description ?? '',
    row.destinationAddress ?? '',
    row.destinationNetwork ?? '',
    row.investmentId,
    row.walletId,
    row.fee ?? 0n,
  ],
})

/** The transactions of a type, as causes of movements. */
export const transactionsOf = (type: TransactionType): Causes => ({
  noun: 'transaction',
  table: 'transactions',
  type,
  owned: true,
})
