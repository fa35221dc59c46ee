import { cents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { sql } from 'kysely'
import type { Caller } from '../../base/sessions/actor.ts'
import type { OnLedger, WithConfig } from '../../http/context.ts'
import { evidenceText } from '../../ledger/families/decisions.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { requireUnbatched } from './batched.ts'

/**
 * PROCESSING → COMPLETED, once: coins have arrived, and the amount leaves the pool. Throws as the
 * ledger refuses it, `inBatch`, and `takesTwo` where a node follows or above the limits.
 */
export const markCompleted = async (
  { config, db, keys, ledger }: OnLedger & WithConfig,
  { transactionId, by }: { readonly transactionId: string; readonly by: Caller },
) => {
  const row = await db
    .selectFrom('transactions')
    .select(['user_id', 'type', 'amount', 'status', 'sent_network', 'sent_evidence', 'sent_output'])
    .select(sql<string[]>`accounts_of(user_id)`.as('owner_ids'))
    .where('id', '=', transactionId)
    .executeTakeFirst()
  if (!row) throw refusal('transactionNotFound')
  if (row.type !== 'withdrawal') throw refusal('notAWithdrawal')
  const { user_id: ownerId, status, sent_evidence, sent_output } = row
  if (row.owner_ids.includes(by.id)) throw refusal('ownTransaction')
  // Posting looks again. The mark of the sending does not change any more.
  if (status !== 'PROCESSING' && status !== 'COMPLETED') throw refusal('notToComplete', { status })
  if (status === 'PROCESSING') {
    await requireUnbatched(db, transactionId)
    if (config.chains.some(({ network }) => network === row.sent_network))
      throw refusal('takesTwo', { why: 'unseen' })
  }
  const entry = signEntry(keys, {
    by,
    action: 'withdrawal.completed',
    subject: { type: 'transaction', id: transactionId },
    ownerId,
    before: { status: 'PROCESSING' },
    after: {
      status: 'COMPLETED',
      ...(sent_evidence !== null && {
        evidence: evidenceText({ id: sent_evidence, output: sent_output }),
      }),
    },
  })
  await ledger.post({
    movement: 'withdrawal_completed',
    id: transactionId,
    ownerId,
    amount: cents(row.amount),
    by,
    entry,
  })
  return { transactionId, status: 'COMPLETED' as const }
}
