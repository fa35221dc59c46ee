import { refusal } from '@pool/contract/refusals'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Caller } from '../sessions/actor.ts'

/**
 * Locks a withdrawal, so that one person at a time marks it. Throws `transactionNotFound`,
 * `notAWithdrawal` and `ownTransaction`.
 */
export const lockWithdrawal = async (
  transaction: Kysely<Schema>,
  { transactionId, by }: { readonly transactionId: string; readonly by: Caller },
) => {
  const row = await transaction
    .selectFrom('transactions')
    .select([
      'user_id',
      'type',
      'status',
      'destination_network',
      'payee_address',
      'sent_network',
      'sent_evidence',
      'sent_output',
    ])
    .where('id', '=', transactionId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw refusal('transactionNotFound')
  if (row.type !== 'withdrawal') throw refusal('notAWithdrawal')
  if (row.user_id === by.id) throw refusal('ownTransaction')
  return row
}
