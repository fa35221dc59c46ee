import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Operation } from '../../ledger/families/movements.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { type OnRecord, SYSTEM } from '../../records/audit/record.ts'
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

type AgreedReturn = { readonly id: string; readonly payload: AskedReturn; readonly reason: string }

/** The operation that gives back a withdrawal as two people agreed (docs/product.md 5.21). */
export const returnOf = async (
  { db, keys }: OnRecord,
  { id: returnId, payload: { transactionId: id }, reason }: AgreedReturn,
): Promise<Operation> => {
  const { ownerId, amount, fee, status } = await db
    .selectFrom('transactions')
    .select(['user_id as ownerId', 'amount', 'fee', 'status'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
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
  return {
    movement: 'withdrawal_returned',
    id,
    ownerId,
    returnId,
    reason,
    amount: cents(amount),
    entry,
  }
}
