/** Later repayments that pay the oldest open instalments anew (docs/product.md 5.26). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import type { Operation } from '../../ledger/families/movements.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import { repaymentOf } from './repay.ts'
import { reversalOf } from './reverseRepayment.ts'

/** Most repayments that one agreement places. A later one places the others. */
const AT_ONCE = 100

type LaterRepayment = {
  readonly id: string
  /** Cents. */
  readonly amount: bigint
  /** ISO text. */
  readonly valueOn: string
  readonly reference: string
}

/** Repayments that paid an instalment after an open one, in the order of their days. */
const readLater = async (
  db: Kysely<Schema>,
  loanId: string,
): Promise<readonly LaterRepayment[]> => {
  const { rows } = await sql<LaterRepayment>`
    SELECT r.id, r.principal + r.interest AS amount, r.value_on::text AS "valueOn", r.reference FROM loan_repayments AS r
    WHERE r.loan_id = ${loanId} AND NOT r.reversed AND r.recovered = 0 AND EXISTS (
      SELECT FROM loan_repayment_parts AS p WHERE p.repayment_id = r.id AND p.number > (
        SELECT min(number) FROM loan_instalments AS i WHERE i.loan_id = r.loan_id AND NOT replaced
          AND principal_paid + interest_paid < principal + interest))
    ORDER BY r.value_on, r.id LIMIT ${AT_ONCE}`.execute(db)
  return rows
}

type AskedRecount = PayloadOf<'RECOUNT_LOAN'>

/** The facts that two people compare. Throws `nothingToPlace`. */
export const recountable = async (db: Kysely<Schema>, loanId: string) => {
  const later = await readLater(db, loanId)
  if (later.length === 0) throw refusal('nothingToPlace')
  return {
    repaymentIds: later.map(({ id }) => id),
    amount: dollarsFromCents(cents(later.reduce((sum, { amount }) => sum + amount, 0n))),
  }
}

/** Throws `nothingToPlace`, and `repaymentsChanged` once others are later. */
export const requireSameLater = async (
  db: Kysely<Schema>,
  { loanId, repaymentIds }: AskedRecount,
): Promise<void> => {
  const now = await recountable(db, loanId)
  if (now.repaymentIds.join() !== repaymentIds.join()) throw refusal('repaymentsChanged')
}

/** Takes each repayment back and books it again, so that the reserve lends one at most. */
export const recountOf = async (
  { db, keys }: OnRecord,
  {
    id: agreedId,
    loanId,
    reason,
    by,
  }: Readonly<Record<'id' | 'loanId' | 'reason', string>> & {
    readonly by: Caller
  },
): Promise<readonly Operation[]> => {
  const operations: Operation[] = []
  for (const { id, amount, valueOn, reference } of await readLater(db, loanId)) {
    const taken = { id: newId(), repaymentId: id, reason, agreedId, by }
    operations.push(await reversalOf({ db, keys }, taken))
    const placed = { loanId, amount: cents(amount), valueOn, reference, agreedId, by }
    operations.push(repaymentOf({ keys }, newId(), placed))
  }
  return operations
}
