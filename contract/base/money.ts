/**
 * Amounts are whole cents, held as a bigint. Dollars exist only on the wire and on screens, and the
 * two conversions below are the only crossing.
 */
import { z } from 'zod'

declare const unit: unique symbol
/** A whole number of US cents. */
export type Cents = bigint & { readonly [unit]: 'cents' }

/** The most that one operation may move, in dollars. It stays exact: it is far below 2^53 cents. */
export const MAXIMUM_AMOUNT = 10_000_000
/** The smallest withdrawal, in dollars (docs/product.md 13). */
export const MINIMUM_WITHDRAWAL = 10
/**
 * The smallest deposit that the instructions ask for, in dollars. No rule enforces it
 * (docs/product.md 5.5).
 */
export const MINIMUM_DEPOSIT = 10
/** The most deposits of one account that may wait for confirmation. */
export const OPEN_DEPOSITS_LIMIT = 20
/** The most withdrawals of one person that may wait to be sent, over all accounts. */
export const OPEN_WITHDRAWALS_LIMIT = 20
/** The entry amount on the landing page, in dollars (docs/product.md 13). */
export const MINIMUM_ENTRY = 5
/** The step of every amount field, in dollars (docs/product.md 13). */
export const AMOUNT_STEP = 0.01

/** Marks a bigint as cents. No other code may. */
export const cents = (amount: bigint): Cents => amount as Cents

/** True for at most two decimals. Exact for every amount up to {@link MAXIMUM_AMOUNT}. */
export const hasWholeCents = (dollars: number): boolean =>
  Math.round(dollars * 100) / 100 === dollars

/** Turns the dollars of the wire into cents, once they passed the rules of fields.ts. */
export const centsFromDollars = (dollars: number): Cents => {
  if (!hasWholeCents(dollars))
    throw new RangeError(`${dollars} dollars is not a whole number of cents`)
  return cents(BigInt(Math.round(dollars * 100)))
}

/** Turns cents into the dollars of the wire. */
export const dollarsFromCents = (amount: Cents): number => {
  const dollars = Number(amount) / 100
  if (!Number.isSafeInteger(Number(amount)))
    throw new RangeError(`${amount} cents cannot be written exactly in dollars`)
  return dollars
}

/** A balance or a total, in dollars. */
export const dollarsSchema = z.number()

const usDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Formats dollars for people: `$1,234.50`. */
export const formatDollars = (dollars: number): string => usDollars.format(dollars)

/** The pool bears the network's fee of any payment up to so many dollars. */
export const FEE_BORNE = 5
/** It bears so many percent of the amount, if that is more. */
export const FEE_BORNE_PERCENT = 1
/** The network fee of a payment of so much that the pool bears. Its investor bears the rest. */
export const feeBoundOf = (amount: Cents): Cents => {
  const [least, part] = [centsFromDollars(FEE_BORNE), (amount * BigInt(FEE_BORNE_PERCENT)) / 100n]
  return part > least ? cents(part) : least
}

/** The cents of a network fee that the investor of a payment bears: what is above the bound. */
export const feeShareOf = (asked: Cents, fee: Cents): Cents => {
  const bound = feeBoundOf(asked)
  return cents(fee > bound ? fee - bound : 0n)
}

/** The highest fee with which a payment is made, by its amount and the share of its investor. */
export const mostFeeOf = (amount: Cents, share: Cents): Cents =>
  cents(feeBoundOf(cents(amount + share)) + share)
