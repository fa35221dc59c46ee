import type { Transaction } from '@pool/contract/transactions'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** Adds to a page the batch of each withdrawal that is on its way, for staff, in one query. */
export const withBatches = async (
  db: Kysely<Schema>,
  page: readonly Transaction[],
): Promise<Transaction[]> => {
  const outgoing = page.filter(
    ({ type, status }) =>
      type === 'withdrawal' && (status === 'APPROVED' || status === 'PROCESSING'),
  )
  if (outgoing.length === 0) return [...page]
  const { rows } = await sql<{ id: string; batchId: string }>`
    SELECT withdrawal_id AS id, batch_id AS "batchId" FROM batch_payouts
    WHERE is_open AND withdrawal_id = ANY (${outgoing.map(({ id }) => id)}::uuid[])`.execute(db)
  const batchOf = new Map(rows.map(({ id, batchId }) => [id, batchId]))
  return page.map((transaction) => {
    const batchId = batchOf.get(transaction.id)
    return batchId === undefined ? transaction : { ...transaction, batchId }
  })
}
