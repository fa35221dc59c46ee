/**
 * Every movement of money, and the accounts that it touches. Operations, the job that pays
 * maturities and the ledger's check read this table.
 */
import type { AccountKind, MovementName } from '@pool/contract/ledger'
import type { Cents } from '@pool/contract/money'

/** One transfer of a movement, between accounts of the operation's investor or of the pool. */
export type Leg = {
  readonly from: AccountKind
  readonly to: AccountKind
  /**
   * The column with the cents to move, in the row that causes the movement. Zero cents make no
   * transfer.
   */
  readonly moves: 'amount' | 'principal' | 'interest'
  /** The operation's field with the id of another investor, who receives. */
  readonly toOwner?: 'receiverId'
}

export const movements = {
  /** A deposit was requested. Nothing moves until coins arrive. */
  deposit_requested: [],

  /** The coins of a deposit arrived in the pool's wallet. */
  deposit_confirmed: [{ from: 'custody', to: 'available', moves: 'amount' }],

  /** A deposit was rejected, or cancelled by its investor. */
  deposit_rejected: [],

  /** A withdrawal was requested. Its amount cannot be spent now. */
  withdrawal_held: [{ from: 'available', to: 'held', moves: 'amount' }],

  /** A withdrawal was approved. Its coins leave the pool's wallet. */
  withdrawal_paid: [{ from: 'held', to: 'custody', moves: 'amount' }],

  /** A withdrawal was rejected, or cancelled by its investor. Its amount can be spent again. */
  withdrawal_released: [{ from: 'held', to: 'available', moves: 'amount' }],

  /** An investment was opened. The principal goes to work and its interest is committed. */
  investment_opened: [
    { from: 'available', to: 'invested', moves: 'principal' },
    { from: 'reserve', to: 'committed', moves: 'interest' },
  ],

  /** An investment matured. The principal comes back with the committed interest. */
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
