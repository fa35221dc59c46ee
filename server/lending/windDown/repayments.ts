/** Repayments that two people confirm before capital leaves (docs/product.md 5.42). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { NAMED_REPAYMENTS } from '@pool/contract/lending/windDown'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

type Shown = NonNullable<PayloadOf<'WITHDRAW_CAPITAL'>['repayments']>

type RepaymentSums = {
  readonly count: number
  readonly total: bigint
  readonly mark: string
  readonly largest: readonly { readonly reference: string; readonly cents: number }[]
}

const inDollars = (amount: bigint): number => dollarsFromCents(cents(amount))

/** Those that stand now, with the references of the largest. None while nothing winds down. */
export const readRepayments = async (db: Kysely<Schema>): Promise<Shown> => {
  const { rows } = await sql<RepaymentSums>`
    WITH standing AS (SELECT id, reference, principal + interest + recovered AS cents FROM repayments_to_confirm())
    SELECT count(*)::int AS count, coalesce(sum(cents), 0)::bigint AS total, mark_of_repayments() AS mark,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('reference', reference, 'cents', cents)), '[]')
       FROM (SELECT reference, cents FROM standing ORDER BY cents DESC, id LIMIT ${sql.lit(NAMED_REPAYMENTS)}) AS named) AS largest
    FROM standing`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an aggregate has a row')
  return {
    count: row.count,
    amount: inDollars(row.total),
    mark: row.mark,
    largest: row.largest.map(({ reference, cents }) => ({
      reference,
      amount: inDollars(BigInt(cents)),
    })),
  }
}

/** Throws `repaymentsChanged` unless exactly these stand, with this sum and these references. */
export const requireConfirmed = async (
  db: Kysely<Schema>,
  { repayments }: PayloadOf<'WITHDRAW_CAPITAL'>,
): Promise<void> => {
  const recorded = await readRepayments(db)
  const isSame = repayments
    ? JSON.stringify(inOrder(repayments)) === JSON.stringify(inOrder(recorded))
    : recorded.count === 0
  if (!isSame) throw refusal('repaymentsChanged')
}

/** JSON of the database has its keys in another order. */
const inOrder = ({ count, amount, mark, largest }: Shown) => [
  count,
  amount,
  mark,
  ...largest.map((each) => [each.reference, each.amount]),
]
