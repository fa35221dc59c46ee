import { Refusal } from '@pool/contract/base/refusals'
import { defaultReason } from '@pool/contract/requests/decisions'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { OnLedger } from '../../http/context.ts'
import { type DecisionRequest, findDecidable, postDecision } from './decision.ts'

/**
 * PENDING → REJECTED: the held amount can be spent. A repeat with the same reason succeeds
 * (docs/product.md 5.10). Throws what {@link findDecidable} and {@link postDecision} throw.
 */
export const rejectWithdrawal = async (
  { db, keys, ledger }: OnLedger,
  { reason: given, ...request }: DecisionRequest & { readonly reason?: string | undefined },
) => {
  const withdrawal = await findDecidable(db, request, 'withdrawal')
  const reason = given || (await reasonFor(db, withdrawal.id))
  try {
    await postDecision({ keys, ledger }, request, withdrawal, {
      movement: 'withdrawal_released',
      reason,
    })
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'alreadyDecided')) throw error
    const same = await db
      .selectFrom('transactions')
      .select('id')
      .where('id', '=', withdrawal.id)
      .where('status', '=', 'REJECTED')
      .where('decided_by', '=', request.by.id)
      .where('reason', '=', reason)
      .executeTakeFirst()
    if (!same) throw error
  }
  return { transactionId: withdrawal.id, status: 'REJECTED' as const, reason }
}

/** The reason recorded when none is given (docs/product.md 5.10). */
const reasonFor = async (db: Kysely<Schema>, transactionId: string): Promise<string> => {
  const approved = await db
    .selectFrom('approvals')
    .select('approved_by')
    .where('transaction_id', '=', transactionId)
    .limit(1)
    .executeTakeFirst()
  return approved ? defaultReason.rejectApproval : defaultReason.reject
}
