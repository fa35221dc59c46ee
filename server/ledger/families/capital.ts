/**
 * Capital of the operator that comes into the reserve as coins (docs/product.md 4.5), and leaves a
 * pool that winds down (5.42).
 */
import type { Coin } from '@pool/contract/base/assets'
import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import { sql } from 'kysely'
import type {
  Causes,
  Idempotency,
  Movement,
  SignedEntry,
  Statement,
  StateReading,
} from './movement.ts'
import { isBooked, noteUse, type Uses, uses } from './uses.ts'

const CONTRIBUTIONS: Statement = {
  name: 'contributions',
  text: `
INSERT INTO contributions (id, amount, note, contributed_by, source, network_name, asset, units, decimals, evidence, payment_id, created_at)
SELECT *, now() FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::numeric[], $9::integer[], $10::text[], $11::uuid[])`,
}

/** Selects all contributions with the coins that brought them. */
export const selectContributions = sql`
  (SELECT id, source, network_name, asset, units, decimals, evidence, payment_id, created_at FROM contributions)`

/** The coins that brought capital. A node showed the payment, or two people typed it. */
export type BroughtCoins = {
  readonly network: NetworkName
  readonly asset: Coin
  /** In the smallest part of the asset. */
  readonly units: bigint
  readonly decimals: number
  /** The transaction on the chain. */
  readonly evidence: string
  readonly paymentId: string | undefined
}

export type CapitalContributed = {
  readonly movement: 'capital_contributed'
  /** That of the proposal of two super admins, where there are coins. */
  readonly id: string
  readonly amount: Cents
  readonly note: string
  readonly contributedBy: string
  /** Undefined for play coins of a sandbox. */
  readonly coins?: BroughtCoins | undefined
  readonly entry: SignedEntry
  readonly idempotency?: Idempotency | undefined
}

/** The operator takes capital out. Its id is that of the proposal of two super admins. */
export type CapitalWithdrawn = {
  readonly movement: 'capital_withdrawn'
  readonly id: string
  readonly amount: Cents
  readonly networkName: string
  /** An own address that two super admins named. */
  readonly address: string
  readonly entry: SignedEntry
}

export type CapitalOperation = CapitalContributed | CapitalWithdrawn

const WITHDRAWALS: Statement = {
  name: 'capital_withdrawals',
  text: `
INSERT INTO capital_withdrawals (id, amount, network_name, address)
SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[])`,
}

/** Exact for an operation that is decided alone. A maturity beside it changes no sum. */
const RESERVED = `
SELECT EXISTS (SELECT FROM current_wind_down()) AS "isWindingDown", owed_before_capital() AS owed,
  ARRAY(SELECT p.id::text FROM proposals AS p WHERE p.id = ANY ($1::uuid[]) AND p.kind = 'WITHDRAW_CAPITAL' AND p.status = 'DONE'
    AND NOT EXISTS (SELECT FROM capital_withdrawals WHERE id = p.id)) AS agreed,
  ARRAY(SELECT p.id::text FROM proposals AS p WHERE p.id = ANY ($1::uuid[]) AND confirms_repayments(p.payload)) AS confirmed`

type Reserved = {
  readonly isWindingDown: boolean
  readonly owed: bigint
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

const sourceOf = (coins: BroughtCoins | undefined) => {
  if (!coins) return 'PLAY'
  return coins.paymentId === undefined ? 'TYPED' : 'SEEN'
}

const columnsOf = (coins: BroughtCoins | undefined) => [
  coins?.network,
  coins?.asset,
  coins?.units,
  coins?.decimals,
  coins?.evidence,
  coins?.paymentId,
]

export const capital = {
  /** Coins of the operator came into the reserve. */
  capital_contributed: {
    legs: [{ from: 'custody', to: 'reserve', moves: 'amount' }],
    expected: { rows: contributions, statuses: ['MADE'] },
    reads: { uses },
    rule: (contributed, { uses }) => {
      if (isBooked(contributed, uses)) return { refused: 'transactionBooked' }
      const { id, amount, note, contributedBy, coins, entry } = contributed
      return {
        rows: [
          {
            into: CONTRIBUTIONS,
            values: [id, amount, note, contributedBy, sourceOf(coins), ...columnsOf(coins)],
          },
        ],
        entry,
        note: () => noteUse(contributed, null, uses),
      }
    },
  } satisfies Movement<CapitalContributed, { uses: Uses }>,

  /** Coins of the reserve of a pool that winds down left to the operator, with gain or loss. */
  capital_withdrawn: {
    legs: [{ from: 'reserve', to: 'custody', moves: 'amount' }],
    expected: { rows: taken, statuses: ['MADE'] },
    isAlone: () => true,
    reads: { reserved },
    rule: ({ id, amount, networkName, address, entry }, { reserved }) => {
      const { isWindingDown, owed, agreed, confirmed } = reserved
      if (!agreed.has(id)) return { refused: 'proposalClosed' }
      if (!isWindingDown) return { refused: 'notWindingDown' }
      if (owed !== 0n) return { refused: 'capitalLeavesLast', owed: dollarsFromCents(cents(owed)) }
      if (!confirmed.has(id)) return { refused: 'repaymentsChanged' }
      return {
        rows: [{ into: WITHDRAWALS, values: [id, amount, networkName, address] }],
        entry,
        note: () => void agreed.delete(id),
      }
    },
  } satisfies Movement<CapitalWithdrawn, { reserved: Reserved }>,
}
