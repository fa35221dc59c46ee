import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/** PENDING → EXPIRED for deposits that nobody confirmed in time (design §5). No money has moved for them. Returns how many. */
export const expireDeposits = async (db: Kysely<Schema>, afterDays: number): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('transactions')
    .set({ status: 'EXPIRED', updated_at: sql<Date>`now()` })
    .where('type', '=', 'deposit')
    .where('status', '=', 'PENDING')
    .where(sql<boolean>`created_at < now() - make_interval(days => ${afterDays})`)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
