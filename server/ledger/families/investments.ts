/** Principal goes to work with its interest committed, and comes back with it. */
import type { Cents } from '@pool/contract/base/money'
import type { InvestmentStatus } from '@pool/contract/money/investments'
import { type Debts, debts, refusedDebt } from './debts.ts'
import type {
  Causes,
  Expected,
  Movement,
  OperationRequest,
  Statement,
  StateReading,
} from './movement.ts'
import {
  type InPlan,
  type PlansInForce,
  plansInForce,
  refusedFull,
  refusedPlan,
  refusedRunway,
  useCapacity,
} from './plans.ts'
import { transactionRow } from './requests.ts'

const INVESTMENTS: Statement = {
  name: 'investments',
  text: `
INSERT INTO transactions
  (id, user_id, type, amount, status, rate_basis_points, interest, duration_days, matures_at, investment_status, plan_id, created_at, updated_at)
SELECT id, user_id, 'investment', principal, 'COMPLETED', rate, interest, days, now() + make_interval(secs => seconds), 'ACTIVE', plan, now(), now()
FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::integer[], $5::bigint[], $6::integer[], $7::double precision[], $8::uuid[])
  AS opened (id, user_id, principal, rate, interest, days, seconds, plan)`,
}

const COMPLETED: Statement = {
  name: 'completed',
  text: `
UPDATE transactions SET investment_status = 'COMPLETED', updated_at = now() WHERE id = ANY ($1::uuid[])`,
}

const MATURED = `
SELECT id FROM unnest($1::uuid[], $2::bigint[]) AS named (matured, returned) JOIN transactions ON id = matured
WHERE investment_status = 'ACTIVE' AND matures_at <= now() AND amount - borne = returned`

export type InvestmentOpened = OperationRequest &
  InPlan & {
    readonly movement: 'investment_opened'
    readonly id: string
    readonly rateBasisPoints: number
    /** The term, by the database's clock. */
    readonly durationSeconds: number
  }

export type InvestmentMatured = {
  readonly movement: 'investment_matured'
  readonly id: string
  readonly ownerId: string
  /** The principal without the part that shared losses took. */
  readonly returned: Cents
  readonly interest: Cents
  /** Of the transaction that tells of it. */
  readonly payoutId: string
}

export type InvestmentOperation = InvestmentOpened | InvestmentMatured

/** Ids of investments to pay: ACTIVE and matured. */
type Maturing = Set<string>

export const maturing: StateReading<InvestmentMatured, Maturing> = {
  read: async (query, operations) => {
    const rows = await query<{ id: string }>('read_matured', MATURED, [
      operations.map(({ id }) => id),
      operations.map(({ returned }) => returned),
    ])
    return new Set(rows.map(({ id }) => id))
  },
}

const rows: Causes = { noun: 'investment', table: 'investments', owned: true }

export const investments = {
  /** An investment was opened. The principal goes to work and its interest is committed. */
  investment_opened: {
    legs: [
      { from: 'available', to: 'invested', moves: 'principal' },
      { from: 'reserve', to: 'committed', moves: 'interest' },
    ],
    expected: { rows, statuses: ['ACTIVE', 'COMPLETED'] } satisfies Expected<InvestmentStatus>,
    reads: { debts, plans: plansInForce },
    // A debtor would earn interest on coins that are gone.
    refuseForNow: (opened, { debts, plans }) =>
      refusedDebt(debts.get(opened.by.id)) ?? refusedPlan(opened, plans),
    rule: (opened, { plans }, at) =>
      refusedFull(opened, plans) ??
      refusedRunway(opened, plans) ?? {
        rows: [
          {
            into: INVESTMENTS,
            values: [
              opened.id,
              opened.by.id,
              opened.principal,
              opened.rateBasisPoints,
              opened.interest,
              opened.durationDays,
              opened.durationSeconds,
              opened.planId,
            ],
          },
        ],
        posted: {
          maturesAt: new Date(Date.parse(at) + opened.durationSeconds * 1000).toISOString(),
          interest: String(opened.interest),
        },
        note: () => useCapacity(opened, plans),
      },
  } satisfies Movement<InvestmentOpened, { debts: Debts; plans: PlansInForce }>,

  /** An investment matured. The rest of its principal comes back with the committed interest. */
  investment_matured: {
    legs: [
      { from: 'invested', to: 'available', moves: 'returned' },
      { from: 'committed', to: 'available', moves: 'interest' },
    ],
    expected: { rows, statuses: ['COMPLETED'] } satisfies Expected<InvestmentStatus>,
    locks: 'transactions',
    reads: { maturing },
    rule: ({ id, ownerId, payoutId, returned, interest }, { maturing }) =>
      maturing.has(id)
        ? {
            rows: [
              { into: COMPLETED, values: [id] },
              ...(returned + interest > 0n
                ? [
                    transactionRow({
                      id: payoutId,
                      ownerId,
                      type: 'payout',
                      status: 'COMPLETED',
                      amount: returned + interest,
                      investmentId: id,
                    }),
                  ]
                : []),
            ],
            note: () => maturing.delete(id),
          }
        : { refused: 'notMatured' },
  } satisfies Movement<InvestmentMatured, { maturing: Maturing }>,
}
