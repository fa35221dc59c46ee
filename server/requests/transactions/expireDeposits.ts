import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { sql } from 'kysely'
import { type OnRecord, record, SYSTEM } from '../../records/audit/record.ts'

/**
 * PENDING → EXPIRED for deposits not confirmed in time (docs/product.md 5.12). Moves no money.
 * Returns the number of deposits.
 */
export const expireDeposits = async ({ db, keys }: OnRecord, afterDays: number): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const expired = await transaction
      .updateTable('transactions')
      .set({ status: 'EXPIRED', ending: 'expired', updated_at: sql<Date>`now()` })
      .where('type', '=', 'deposit')
      .where('status', '=', 'PENDING')
      // Coins came for it, so it waits for a decision.
      .where('unannounced', '=', false)
      .where(sql<boolean>`created_at < now() - make_interval(days => ${afterDays})`)
      .returning(['id', 'user_id', 'amount'])
      .execute()
    const entries = expired.map(({ id, user_id, amount }) => ({
      by: SYSTEM,
      action: 'deposit.expired' as const,
      subject: { type: 'transaction' as const, id },
      ownerId: user_id,
      before: { status: 'PENDING' },
      after: { status: 'EXPIRED', amount: dollarsFromCents(cents(amount)) },
    }))
    await record(transaction, keys, ...entries)
    return expired.length
  })
