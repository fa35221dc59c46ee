import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { type Kysely, sql } from 'kysely'
import type { Config } from '../../base/configuration/config.ts'
import type { Schema } from '../../base/db/schema.ts'
import {
  type ApprovalLimits,
  type DecidedAlone,
  type LimitUse,
  limitUse,
} from '../../ledger/families/approvalLimits.ts'
import { FROM_OPERATOR, type OnRecord, record } from '../../records/audit/record.ts'

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

const inDollars = ({ perPerson, perPool }: ApprovalLimits) => ({
  perPerson: dollarsFromCents(perPerson),
  perPool: dollarsFromCents(perPool),
})

const readLimits = async (
  db: Kysely<Schema>,
  { lock }: { readonly lock: boolean },
): Promise<ApprovalLimits> => {
  const query = db.selectFrom('approval_limits').select(['per_person', 'per_pool'])
  const { per_person, per_pool } = await (lock
    ? query.forUpdate()
    : query
  ).executeTakeFirstOrThrow()
  return { perPerson: cents(per_person), perPool: cents(per_pool) }
}

/** Reads an approver's use of the limits. */
export const readLimitUse = async (db: Kysely<Schema>, approverId: string): Promise<LimitUse> => {
  const { rows } = await sql<DecidedAlone>`SELECT * FROM decided_alone()`.execute(db)
  const { rows: known } = await sql<{ person: string }>`
    SELECT person FROM same_people() WHERE account = ${approverId}`.execute(db)
  return limitUse(await readLimits(db, { lock: false }), rows, known[0]?.person ?? approverId)
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
