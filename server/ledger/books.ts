import { type Cents, cents } from '@pool/contract/money'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { poolBalance } from './accounts.ts'

/** The pool's reserve, committed interest and all interest ever paid, in cents. */
export type Books = {
  readonly reserve: Cents
  readonly committed: Cents
  readonly interestPaid: Cents
}

/**
 * Reads the pool's books. Only payouts take money out of reserve and committed interest, so the
 * interest paid is capital minus both.
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
