/**
 * Every movement of money in the product, and the accounts that it touches. Nothing else moves
 * money: each of these becomes the legs of one operation, which the database posts whole or not at
 * all. Amounts in cents.
 */
import type { AccountKind, MovementName } from '@pool/contract/ledger'
import type { Cents } from '@pool/contract/money'

export type Leg = { readonly from: AccountKind; readonly to: AccountKind; readonly amount: Cents }
export type Movement = { readonly name: MovementName; readonly legs: readonly Leg[] }

const movement = (name: MovementName, ...legs: Leg[]): Movement => ({
  name,
  legs: legs.filter(({ amount }) => amount > 0n),
})

/** A deposit was asked for: nothing moves until coins have arrived. */
export const depositRequested = (): Movement => movement('deposit_requested')

/** The coins of a deposit arrived in the pool's wallet. */
export const depositConfirmed = (amount: Cents): Movement =>
  movement('deposit_confirmed', { from: 'custody', to: 'available', amount })

/** A withdrawal was asked for: its amount can no longer be spent. */
export const withdrawalHeld = (amount: Cents): Movement =>
  movement('withdrawal_held', { from: 'available', to: 'held', amount })

/** A withdrawal was approved: its coins leave the pool's wallet. */
export const withdrawalPaid = (amount: Cents): Movement =>
  movement('withdrawal_paid', { from: 'held', to: 'custody', amount })

/** A withdrawal was rejected: its amount can be spent again. */
export const withdrawalReleased = (amount: Cents): Movement =>
  movement('withdrawal_released', { from: 'held', to: 'available', amount })

/**
 * An investment was made: the principal goes to work, and its whole interest is set aside so that
 * it can be paid.
 */
export const investmentOpened = (principal: Cents, interest: Cents): Movement =>
  movement(
    'investment_opened',
    { from: 'available', to: 'invested', amount: principal },
    { from: 'reserve', to: 'committed', amount: interest },
  )

/** An investment matured: the principal comes back, with the interest that was set aside for it. */
export const investmentMatured = (principal: Cents, interest: Cents): Movement =>
  movement(
    'investment_matured',
    { from: 'invested', to: 'available', amount: principal },
    { from: 'committed', to: 'available', amount: interest },
  )

/** The operator put capital into the reserve. */
export const capitalContributed = (amount: Cents): Movement =>
  movement('capital_contributed', { from: 'operator', to: 'reserve', amount })
