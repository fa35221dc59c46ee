import { type Cents, cents } from '@pool/contract/money'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { poolBalance } from './accounts.ts'

/**
 * The pool's side of the books, in cents: the reserve, the committed interest, and all interest
 * that was ever paid.
 */
export type Books = {
  readonly reserve: Cents
  readonly committed: Cents
  readonly interestPaid: Cents
}

/**
 * Reads the pool's books. Capital that was put in and is neither free nor set aside any more has
 * been paid as interest: no other movement takes from these two accounts, so the sum needs no look
 * at the transfers.
 */
export const readBooks = async (db: Kysely<Schema>): Promise<Books> => {
  const reserve = await poolBalance(db, 'reserve')
  const committed = await poolBalance(db, 'committed')
  const { capital } = await db
    .selectFrom('contributions')
    .select(sql<bigint>`coalesce(sum(amount), 0)::bigint`.as('capital'))
    .executeTakeFirstOrThrow()
  return { reserve, committed, interestPaid: cents(capital - reserve - committed) }
}
