import { type Cents, cents } from '@pool/contract/money'
import { Refusal } from '@pool/contract/refusals'
import { type Kysely, sql } from 'kysely'
import { v7 as newId } from 'uuid'
import type { Context } from '../context.ts'
import type { Schema } from '../db/schema.ts'
import { investmentMatured } from '../ledger/movements.ts'

/** How many investments are paid at a time: small enough that requests keep their turn in the groups between. */
const BATCH = 200

export type Maturities = { readonly matured: number; readonly paid: Cents }

/**
 * Pays every investment that has matured: principal and interest become spendable, ACTIVE → COMPLETED, and a `payout` transaction
 * tells of it. Safe from any number of callers at once: each investment is paid once (threat 15). Returns what this call paid, in cents.
 */
export const payMaturities = async (context: Pick<Context, 'db' | 'ledger'>): Promise<Maturities> => {
  let matured = 0
  let paid = 0n
  for (;;) {
    const due = await findDue(context.db)
    const payouts = await Promise.all(due.map((investment) => payMaturity(context, investment)))
    for (const payout of payouts) {
      if (payout === undefined) continue
      matured += 1
      paid += payout
    }
    if (due.length < BATCH) return { matured, paid: cents(paid) }
  }
}

type Due = { readonly id: string; readonly user_id: string; readonly principal: bigint; readonly interest: bigint }

const findDue = (db: Kysely<Schema>): Promise<Due[]> =>
  db
    .selectFrom('investments')
    .select(['id', 'user_id', 'principal', 'interest'])
    .where('status', '=', 'ACTIVE')
    .where(sql<boolean>`matures_at <= now()`)
    .orderBy('matures_at')
    .orderBy('id')
    .limit(BATCH)
    .execute()

/** Returns what was paid, in cents; undefined when another caller paid it first. */
const payMaturity = async ({ ledger }: Pick<Context, 'ledger'>, { id, user_id, principal, interest }: Due): Promise<Cents | undefined> => {
  const payout = cents(principal + interest)
  try {
    await ledger.post({
      movement: investmentMatured(cents(principal), cents(interest)),
      referenceId: id,
      ownerId: user_id,
      completes: id,
      transaction: { id: newId(), type: 'payout', amount: payout, status: 'COMPLETED', investmentId: id },
    })
    return payout
  } catch (error) {
    if (error instanceof Refusal && error.code === 'notMatured') return undefined
    throw error
  }
}
