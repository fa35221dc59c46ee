import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { shareLock } from '../../base/locks.ts'
import type { Caller } from '../../base/sessions/actor.ts'

/**
 * Locks a withdrawal, so that one person at a time marks it. Throws `transactionNotFound`,
 * `notAWithdrawal` and `ownTransaction`.
 */
export const lockWithdrawal = async (
  transaction: Kysely<Schema>,
  { transactionId, by }: { readonly transactionId: string; readonly by: Caller },
) => {
  // Before the row, as postings do. Approving a return holds it alone.
  await shareLock(transaction, 'groups')
  const row = await transaction
    .selectFrom('transactions')
    .select([
      'user_id',
      sql<string[]>`accounts_of(user_id)`.as('owner_ids'),
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
  if (row.owner_ids.includes(by.id)) throw refusal('ownTransaction')
  return row
}
