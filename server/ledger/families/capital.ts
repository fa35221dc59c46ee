/**
 * Capital that the operator puts into the reserve (docs/product.md 4.5), and takes out of a pool
 * that winds down (5.42).
 */
import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import { sql } from 'kysely'
import { POOL_OWNER } from './accounts.ts'
import { FEES_BORNE } from './feeShares.ts'
import type {
  Causes,
  Idempotency,
  Movement,
  SignedEntry,
  Statement,
  StateReading,
} from './movement.ts'

const CONTRIBUTIONS: Statement = {
  name: 'contributions',
  text: `
INSERT INTO contributions (id, amount, note, contributed_by, created_at)
SELECT *, now() FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[])`,
}

/** Selects the ids of all contributions. */
export const selectContributions = sql<{ readonly id: string }>`(SELECT id FROM contributions)`

export type CapitalContributed = {
  readonly movement: 'capital_contributed'
  readonly id: string
  readonly amount: Cents
  readonly note: string
  readonly contributedBy: string
  readonly entry: SignedEntry
  readonly idempotency?: Idempotency | undefined
}

/** The operator takes capital out. Its id is that of the proposal of two super admins. */
export type CapitalWithdrawn = {
  readonly movement: 'capital_withdrawn'
  readonly id: string
  readonly amount: Cents
  /** Found by the rule: what it settles of the capital put in. */
  readonly capital?: Cents
  readonly entry: SignedEntry
}

export type CapitalOperation = CapitalContributed | CapitalWithdrawn

const WITHDRAWALS: Statement = {
  name: 'capital_withdrawals',
  text: '\nINSERT INTO capital_withdrawals (id, amount, capital) SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[])',
}

/**
 * Cents that the operator put in, by capital and fees of networks, and that nothing settled. Shares
 * that investors bear settle a part. Below zero they bore more than networks took.
 */
export const NET_CAPITAL = `
((SELECT coalesce(sum(amount), 0) FROM contributions) + (SELECT coalesce(sum(amount), 0) FROM network_fees WHERE status = 'PAID')
  - ${FEES_BORNE} - (SELECT coalesce(sum(capital), 0) FROM capital_withdrawals))::bigint`

/** Exact for an operation that is decided alone. A maturity beside it changes no sum. */
const RESERVED = `
SELECT EXISTS (SELECT FROM current_wind_down()) AS "isWindingDown", owed_before_capital() AS owed, greatest(${NET_CAPITAL}, 0) AS standing,
  (SELECT balance FROM accounts WHERE owner_id = '${POOL_OWNER}' AND kind = 'reserve') AS reserve,
  ARRAY(SELECT p.id::text FROM proposals AS p WHERE p.id = ANY ($1::uuid[]) AND p.kind = 'WITHDRAW_CAPITAL' AND p.status = 'DONE'
    AND NOT EXISTS (SELECT FROM capital_withdrawals WHERE id = p.id)) AS agreed,
  ARRAY(SELECT p.id::text FROM proposals AS p WHERE p.id = ANY ($1::uuid[]) AND confirms_repayments(p.payload)) AS confirmed`

type Reserved = {
  readonly isWindingDown: boolean
  readonly owed: bigint
  standing: bigint
  reserve: bigint
  readonly agreed: Set<string>
  /** Those that name every repayment that stands. */
  readonly confirmed: Set<string>
}

const reserved: StateReading<CapitalWithdrawn, Reserved> = {
  read: async (query, operations) => {
    const [row] = await query<
      Omit<Reserved, 'agreed' | 'confirmed'> & { agreed: string[]; confirmed: string[] }
    >('read_reserved', RESERVED, [operations.map(({ id }) => id)])
    if (!row) throw new Error('the pool has no reserve')
    return { ...row, agreed: new Set(row.agreed), confirmed: new Set(row.confirmed) }
  },
}

const taken: Causes = {
  noun: 'withdrawal of capital',
  table: 'capital_withdrawals',
  owned: false,
  status: 'MADE',
}

const contributions: Causes = {
  noun: 'contribution',
  table: 'contributions',
  owned: false,
  status: 'MADE',
}

export const capital = {
  /** The operator put capital into the reserve. */
  capital_contributed: {
    legs: [{ from: 'operator', to: 'reserve', moves: 'amount' }],
    expected: { rows: contributions, statuses: ['MADE'] },
    reads: {},
    rule: ({ id, amount, note, contributedBy, entry }) => ({
      rows: [{ into: CONTRIBUTIONS, values: [id, amount, note, contributedBy] }],
      entry,
    }),
  } satisfies Movement<CapitalContributed>,

  /**
   * The operator took capital out of a pool that winds down. Coins leave, and the capital put in is
   * settled by as much. The one that empties the reserve settles all of it, with gain or loss.
   */
  capital_withdrawn: {
    legs: [
      { from: 'reserve', to: 'custody', moves: 'amount' },
      { from: 'custody', to: 'operator', moves: 'capital' },
    ],
    expected: { rows: taken, statuses: ['MADE'] },
    isAlone: () => true,
    reads: { reserved },
    rule: ({ id, amount, entry }, { reserved }) => {
      const { isWindingDown, owed, standing, reserve, agreed, confirmed } = reserved
      if (!agreed.has(id)) return { refused: 'proposalClosed' }
      if (!isWindingDown) return { refused: 'notWindingDown' }
      if (owed !== 0n) return { refused: 'capitalLeavesLast', owed: dollarsFromCents(cents(owed)) }
      if (!confirmed.has(id)) return { refused: 'repaymentsChanged' }
      const capital = cents(amount < reserve && amount < standing ? amount : standing)
      if (amount === 0n && (reserve > 0n || capital === 0n)) return { refused: 'nothingToTake' }
      return {
        rows: [{ into: WITHDRAWALS, values: [id, amount, capital] }],
        amounts: { capital },
        entry,
        note: () => {
          agreed.delete(id)
          reserved.standing -= capital
          reserved.reserve -= amount
        },
      }
    },
  } satisfies Movement<CapitalWithdrawn, { reserved: Reserved }>,
}
