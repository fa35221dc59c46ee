import { refusal } from '@pool/contract/refusals'
import { sql } from 'kysely'
import { type OnRecord, record } from '../audit/record.ts'
import { evidenceText } from '../ledger/decisions.ts'
import type { Caller } from '../sessions/actor.ts'
import { lockWithdrawal } from './lockWithdrawal.ts'

/**
 * PROCESSING → COMPLETED: the coins have arrived. A repeat changes nothing. Throws `notToComplete`
 * and what {@link lockWithdrawal} throws.
 */
export const markCompleted = (
  { db, keys }: OnRecord,
  { transactionId, by }: { readonly transactionId: string; readonly by: Caller },
) =>
  db.transaction().execute(async (transaction) => {
    const { status, user_id, sent_evidence, sent_output } = await lockWithdrawal(transaction, {
      transactionId,
      by,
    })
    if (status === 'COMPLETED') return { transactionId, status }
    if (status !== 'PROCESSING') throw refusal('notToComplete', { status })
    await transaction
      .updateTable('transactions')
      .set({ status: 'COMPLETED', completed_at: sql<Date>`now()`, completed_by: by.id })
      .where('id', '=', transactionId)
      .execute()
    await record(transaction, keys, {
      by,
      action: 'withdrawal.completed',
      subject: { type: 'transaction', id: transactionId },
      ownerId: user_id,
      before: { status },
      after: {
        status: 'COMPLETED',
        ...(sent_evidence !== null && {
          evidence: evidenceText({ id: sent_evidence, output: sent_output }),
        }),
      },
    })
    return { transactionId, status: 'COMPLETED' as const }
  })
