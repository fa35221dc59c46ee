import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { Refusal, refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { OnLedger } from '../../http/context.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { SYSTEM } from '../../records/audit/record.ts'
import { requireUnbatched } from './batched.ts'

type AskedReturn = PayloadOf<'RETURN_WITHDRAWAL'>

/**
 * Throws `transactionNotFound` unless it is the investor's, `notToReturn` unless it is approved or
 * sent, and `inBatch`.
 */
export const requireReturnable = async (
  db: Kysely<Schema>,
  { transactionId, userId, amount }: AskedReturn,
): Promise<void> => {
  const row = await db
    .selectFrom('transactions')
    .select('status')
    .where('id', '=', transactionId)
    .where('user_id', '=', userId)
    .where('type', '=', 'withdrawal')
    .where('amount', '=', centsFromDollars(amount))
    .executeTakeFirst()
  if (!row) throw refusal('transactionNotFound')
  const { status } = row
  if (status !== 'APPROVED' && status !== 'PROCESSING') throw refusal('notToReturn', { status })
  await requireUnbatched(db, transactionId)
}

/** True once two people agreed to give a withdrawal back. The posting follows. */
export const isAgreed = async (db: Kysely<Schema>, transactionId: string): Promise<boolean> => {
  const agreed = await db
    .selectFrom('proposals')
    .select('id')
    .where('kind', '=', 'RETURN_WITHDRAWAL')
    .where('subject', '=', transactionId)
    .where('status', '=', 'DONE')
    .executeTakeFirst()
  return agreed !== undefined
}

/** Refusals of a moment: another process posted it, or the next call tries again. */
const RETRYABLE: readonly string[] = ['notToReturn', 'busy', 'unavailable', 'outcomeUnknown']

/**
 * Gives back the withdrawals that two people agreed on, each once (docs/product.md 5.21). Returns
 * their number. The next call gives back what is left.
 */
export const postReturns = async ({ db, keys, ledger }: OnLedger): Promise<number> => {
  const { rows } = await sql<{
    returnId: string
    reason: string
    id: string
    ownerId: string
    amount: bigint
    fee: bigint
    status: string
  }>`
    SELECT p.id AS "returnId", p.reason, t.id, t.user_id AS "ownerId", t.amount, t.fee, t.status
    FROM proposals AS p JOIN transactions AS t ON t.id = CASE WHEN pg_input_is_valid(p.subject, 'uuid') THEN p.subject::uuid END
    WHERE p.kind = 'RETURN_WITHDRAWAL' AND p.status = 'DONE' AND t.status IN ('APPROVED', 'PROCESSING')
    ORDER BY p.asked_at`.execute(db)
  const failures: unknown[] = []
  let returned = 0
  for (const { amount, fee, status, ...withdrawal } of rows) {
    const { id, ownerId, reason } = withdrawal
    const entry = signEntry(keys, {
      by: SYSTEM,
      action: 'withdrawal.returned',
      subject: { type: 'transaction', id },
      ownerId,
      before: { status },
      after: {
        status: 'RETURNED',
        amount: dollarsFromCents(cents(amount)),
        ...(fee > 0n && { networkFee: dollarsFromCents(cents(fee)) }),
      },
      reason,
    })
    try {
      await ledger.post({
        ...withdrawal,
        movement: 'withdrawal_returned',
        amount: cents(amount),
        entry,
      })
      returned += 1
    } catch (error) {
      // One withdrawal must not hold up the others.
      if (!(error instanceof Refusal && RETRYABLE.includes(error.code))) failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return returned
}
