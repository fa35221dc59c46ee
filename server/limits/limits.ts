import type { LimitHolder } from '@pool/contract/limits'
import { type Cents, cents, dollarsFromCents } from '@pool/contract/money'
import { type Kysely, sql } from 'kysely'
import { FROM_OPERATOR, type OnRecord, record } from '../audit/record.ts'
import type { Config } from '../config.ts'
import type { Schema } from '../db/schema.ts'

/**
 * Cents that one person may decide alone in 24 hours: per investor and approver, and in the pool.
 */
type Limits = { readonly perPerson: Cents; readonly perPool: Cents }

/**
 * The limits, and the cents decided alone in the last 24 hours by approver, by investor and in all.
 */
export type LimitUse = Limits & {
  readonly byApprover: Cents
  readonly forInvestors: ReadonlyMap<string, Cents>
  readonly byAll: Cents
}

/**
 * Stores the operator's limits, and records a change as the operator's. Posting reads them from the
 * database, so all nodes agree.
 */
export const setLimits = (
  { db, keys }: OnRecord,
  { secondApprovalAbove, poolSecondApprovalAbove }: Config,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const wanted = { perPerson: secondApprovalAbove, perPool: poolSecondApprovalAbove }
    const before = await readLimits(transaction, { lock: true })
    if (before.perPerson === wanted.perPerson && before.perPool === wanted.perPool) return
    await transaction
      .updateTable('approval_limits')
      .set({ per_person: wanted.perPerson, per_pool: wanted.perPool })
      .execute()
    await record(transaction, keys, {
      by: { name: 'operator', from: FROM_OPERATOR },
      action: 'limits.changed',
      subject: { type: 'limits', id: 'approvals' },
      before: inDollars(before),
      after: inDollars(wanted),
    })
  })

const inDollars = ({ perPerson, perPool }: Limits) => ({
  perPerson: dollarsFromCents(perPerson),
  perPool: dollarsFromCents(perPool),
})

const readLimits = async (
  db: Kysely<Schema>,
  { lock }: { readonly lock: boolean },
): Promise<Limits> => {
  const query = db.selectFrom('approval_limits').select(['per_person', 'per_pool'])
  const { per_person, per_pool } = await (lock
    ? query.forUpdate()
    : query
  ).executeTakeFirstOrThrow()
  return { perPerson: cents(per_person), perPool: cents(per_pool) }
}

/** Reads an approver's use of the limits. */
export const readLimitUse = async (db: Kysely<Schema>, approverId: string): Promise<LimitUse> => {
  const { rows } = await sql<{
    approver: string
    investor: string
    amount: bigint
  }>`SELECT * FROM decided_alone()`.execute(db)
  const forInvestors = new Map<string, Cents>()
  for (const { investor, amount } of rows)
    forInvestors.set(investor, cents((forInvestors.get(investor) ?? 0n) + amount))
  const sum = (some: typeof rows) => cents(some.reduce((total, { amount }) => total + amount, 0n))
  return {
    ...(await readLimits(db, { lock: false })),
    byApprover: sum(rows.filter(({ approver }) => approver === approverId)),
    forInvestors,
    byAll: sum(rows),
  }
}

/**
 * Predicts the limit that a lone decision would exceed. Undefined when one person suffices.
 * `post_operations` makes the same decision over committed rows.
 */
export const exceededLimit = (
  { perPerson, perPool, byApprover, forInvestors, byAll }: LimitUse,
  { investorId, amount }: { readonly investorId: string; readonly amount: Cents },
): LimitHolder | undefined => {
  if ((forInvestors.get(investorId) ?? 0n) + amount > perPerson) return 'investor'
  if (byApprover + amount > perPerson) return 'approver'
  return byAll + amount > perPool ? 'pool' : undefined
}

/** Counts the people who may decide. */
export const countStaff = async (db: Kysely<Schema>): Promise<number> => {
  const { rows } = await sql<{ staff: number }>`
    SELECT count(*)::int AS staff FROM users AS u
    WHERE u.suspended_at IS NULL AND EXISTS (SELECT FROM user_roles WHERE user_id = u.id AND role IN ('ADMIN', 'SUPER_ADMIN'))`.execute(
    db,
  )
  return rows[0]?.staff ?? 0
}
