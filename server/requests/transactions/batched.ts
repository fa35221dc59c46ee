import type { BatchState } from '@pool/contract/coins/batchStates'
import type { Transaction } from '@pool/contract/requests/transactions'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/** Adds to a page the open batch of each withdrawal on its way and its state, in one query. */
export const withBatches = async (
  db: Kysely<Schema>,
  page: readonly Transaction[],
): Promise<Transaction[]> => {
  const outgoing = page.filter(
    ({ type, status }) =>
      type === 'withdrawal' && (status === 'APPROVED' || status === 'PROCESSING'),
  )
  if (outgoing.length === 0) return [...page]
  const { rows } = await sql<{ id: string; batchId: string; batchState: BatchState }>`
    SELECT p.withdrawal_id AS id, b.id AS "batchId", b.state AS "batchState"
    FROM batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id
    WHERE p.is_open AND p.withdrawal_id = ANY (${outgoing.map(({ id }) => id)}::uuid[])`.execute(db)
  const batchOf = new Map(rows.map(({ id, ...batch }) => [id, batch]))
  return page.map((transaction) => ({ ...transaction, ...batchOf.get(transaction.id) }))
}
