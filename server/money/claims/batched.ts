import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/** True for a withdrawal that a batch pays, or has paid. One that was given up pays none. */
export const isInBatch = (id: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`EXISTS (SELECT FROM batch_payouts AS p WHERE p.withdrawal_id = ${id} AND p.is_open)`

/** True for an account that is paid nothing now: it is frozen, suspended or owes the pool. */
export const isHeldBack = (userId: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`(EXISTS (SELECT FROM users AS owner WHERE owner.id = ${userId}
    AND (owner.frozen_at IS NOT NULL OR owner.suspended_at IS NOT NULL))
  OR EXISTS (SELECT FROM claims WHERE claims.user_id = ${userId} AND claims.open > 0))`

/**
 * Throws `inBatch` for a withdrawal whose file may be signed at any moment: a mark or a return
 * would let it be paid twice. The trigger `withdrawals_wait_for_their_batch` refuses it, too.
 */
export const requireUnbatched = async (
  db: Kysely<Schema>,
  transactionId: string,
): Promise<void> => {
  const { rows } = await sql<{ batched: boolean }>`
    SELECT may_be_signed(${transactionId}) AS batched`.execute(db)
  if (rows[0]?.batched) throw refusal('inBatch')
}
