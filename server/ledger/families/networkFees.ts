/** Fees and gas of networks, which the reserve pays (docs/product.md 5.24). */
import type { Cents } from '@pool/contract/base/money'
import type { Causes, Movement, SignedEntry, Statement, StateReading } from './movement.ts'

const FEES: Statement = {
  name: 'network_fees',
  text: `
INSERT INTO network_fees (id, movement_id, amount) SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[])`,
}

const RETURNED: Statement = {
  name: 'returned_fees',
  text: `
UPDATE network_fees SET status = 'RETURNED', returned_at = now() WHERE id = ANY ($1::uuid[])`,
}

type OfFee = {
  readonly id: string
  /** The coins that the network took. */
  readonly movementId: string
  readonly amount: Cents
  readonly entry: SignedEntry
}

/** A spending paid a network. */
export type NetworkFeePaid = OfFee & { readonly movement: 'network_fee_paid' }

/** The chain took the spending back. Its id and its amount are those of the fee that was paid. */
export type NetworkFeeReturned = OfFee & { readonly movement: 'network_fee_returned' }

export type NetworkFeeOperation = NetworkFeePaid | NetworkFeeReturned

/** Locks the fees, so that two processes return one once. Movements of coins are final. */
const COINS = `
SELECT m.id, f.id AS "feeId", f.amount, f.status, m.to_account = 'network' AND m.takes_back IS NULL AS "isFee",
  EXISTS (SELECT FROM coin_movements AS b WHERE b.takes_back = m.id) AS "isGone"
FROM coin_movements AS m LEFT JOIN LATERAL (
  SELECT * FROM network_fees WHERE movement_id = m.id FOR NO KEY UPDATE) AS f ON true
WHERE m.id = ANY ($1::uuid[])`

/** The coins of a fee, and the fee that the ledger has of them. */
export type CoinsOfFee = {
  readonly feeId: string | null
  readonly amount: bigint | null
  readonly status: string | null
  readonly isFee: boolean
  readonly isGone: boolean
}

export const coinsOfFees: StateReading<NetworkFeeOperation, Map<string, CoinsOfFee>> = {
  read: async (query, operations) => {
    const rows = await query<CoinsOfFee & { id: string }>('read_coins', COINS, [
      operations.map(({ movementId }) => movementId),
    ])
    return new Map(rows.map(({ id, ...rest }) => [id, rest]))
  },
}

const networkFees: Causes = { noun: 'network fee', table: 'network_fees', owned: false }

type States = { coins: Map<string, CoinsOfFee> }

export const networkFeeMovements = {
  /** A network took coins. While the reserve lacks as much, the fee waits. */
  network_fee_paid: {
    legs: [{ from: 'reserve', to: 'custody', moves: 'amount' }],
    expected: { rows: networkFees, statuses: ['PAID', 'RETURNED'] },
    reads: { coins: coinsOfFees },
    rule: ({ id, movementId, amount, entry }, { coins }) => {
      const found = coins.get(movementId)
      if (!found?.isFee || found.isGone || found.feeId !== null) return { refused: 'feeSettled' }
      return {
        rows: [{ into: FEES, values: [id, movementId, amount] }],
        entry,
        note: () => void coins.set(movementId, { ...found, feeId: id, amount, status: 'PAID' }),
      }
    },
  } satisfies Movement<NetworkFeePaid, States>,

  /** The coins of a fee came back with a block that left the chain. */
  network_fee_returned: {
    legs: [{ from: 'custody', to: 'reserve', moves: 'amount' }],
    expected: { rows: networkFees, statuses: ['RETURNED'] },
    reads: { coins: coinsOfFees },
    rule: ({ id, movementId, amount, entry }, { coins }) => {
      const found = coins.get(movementId)
      if (
        found?.feeId !== id ||
        found.status !== 'PAID' ||
        found.amount !== amount ||
        !found.isGone
      )
        return { refused: 'feeSettled' }
      return {
        rows: [{ into: RETURNED, values: [id] }],
        entry,
        note: () => void coins.set(movementId, { ...found, status: 'RETURNED' }),
      }
    },
  } satisfies Movement<NetworkFeeReturned, States>,
}
