import { cents } from '@pool/contract/money'
import { refusal } from '@pool/contract/refusals'
import type { TransactionType } from '@pool/contract/transactions'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Actor, Repeatable } from '../ledger/operation.ts'

/** Somebody's wish to decide about a transaction. */
export type DecisionRequest = {
  readonly transactionId: string
  readonly by: Actor
  readonly repeatable?: Repeatable | undefined
}

/**
 * The transaction that is to be decided about. What it returns never changes, so it needs no lock: the guard on its status is a part of
 * the posting. Throws `transactionNotFound`, `notADeposit` or `notAWithdrawal`, and `ownTransaction` (threat 8).
 */
export const findDecidable = async (db: Kysely<Schema>, { transactionId, by }: DecisionRequest, type: TransactionType) => {
  const transaction = await db
    .selectFrom('transactions')
    .leftJoin('wallets', 'wallets.id', 'transactions.wallet_id')
    .select(['transactions.id', 'user_id', 'type', 'amount', 'evidence', 'network_name'])
    .where('transactions.id', '=', transactionId)
    .executeTakeFirst()
  if (!transaction) throw refusal('transactionNotFound')
  if (transaction.type !== type) throw refusal(type === 'deposit' ? 'notADeposit' : 'notAWithdrawal')
  if (transaction.user_id === by.id) throw refusal('ownTransaction')
  return {
    id: transaction.id,
    ownerId: transaction.user_id,
    amount: cents(transaction.amount),
    evidence: transaction.evidence,
    networkName: transaction.network_name ?? '',
  }
}
