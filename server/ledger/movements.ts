/**
 * Every movement of money in the product, and the accounts that it touches. Nothing else moves
 * money. Operations, the job that pays maturities and the check of the ledger all read this table.
 */
import type { AccountKind, MovementName } from '@pool/contract/ledger'
import type { Cents } from '@pool/contract/money'

/** One transfer of a movement. The accounts are those of the operation's investor or the pool. */
export type Leg = {
  readonly from: AccountKind
  readonly to: AccountKind
  /** The column, in the row that causes the movement, whose cents it moves. No cents, no transfer. */
  readonly moves: 'amount' | 'principal' | 'interest'
  /** Gives to another investor, whom the operation names by this field. */
  readonly toOwner?: 'receiverId'
}

export const movements = {
  /** A deposit was asked for: nothing moves until coins have arrived. */
  deposit_requested: [],

  /** The coins of a deposit arrived in the pool's wallet. */
  deposit_confirmed: [{ from: 'custody', to: 'available', moves: 'amount' }],

  /** A withdrawal was asked for: its amount can no longer be spent. */
  withdrawal_held: [{ from: 'available', to: 'held', moves: 'amount' }],

  /** A withdrawal was approved: its coins leave the pool's wallet. */
  withdrawal_paid: [{ from: 'held', to: 'custody', moves: 'amount' }],

  /** A withdrawal was rejected: its amount can be spent again. */
  withdrawal_released: [{ from: 'held', to: 'available', moves: 'amount' }],

  /** An investment was made: the principal goes to work, and its whole interest is set aside. */
  investment_opened: [
    { from: 'available', to: 'invested', moves: 'principal' },
    { from: 'reserve', to: 'committed', moves: 'interest' },
  ],

  /** An investment matured: the principal comes back, with the interest that was set aside. */
  investment_matured: [
    { from: 'invested', to: 'available', moves: 'principal' },
    { from: 'committed', to: 'available', moves: 'interest' },
  ],

  /** The operator put capital into the reserve. */
  capital_contributed: [{ from: 'operator', to: 'reserve', moves: 'amount' }],
} as const satisfies Readonly<Record<MovementName, readonly Leg[]>>

/** The amounts that an operation of this movement must name. */
export type AmountsOf<Name extends MovementName> = Readonly<
  Record<(typeof movements)[Name][number]['moves'], Cents>
>
