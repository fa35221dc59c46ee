import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/**
 * Throws `inBatch` for a withdrawal whose file may be signed at any moment: a mark or a return
 * would let it be paid twice. The trigger `withdrawals_wait_for_their_batch` refuses it, too.
 */
export const requireUnbatched = async (
  db: Kysely<Schema>,
  transactionId: string,
): Promise<void> => {
  const { rows } = await sql<{ batched: boolean }>`
    SELECT EXISTS (SELECT FROM batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id
      WHERE p.withdrawal_id = ${transactionId} AND p.is_open AND b.state IN ('WAITING', 'READY')) AS batched`.execute(
    db,
  )
  if (rows[0]?.batched) throw refusal('inBatch')
}
