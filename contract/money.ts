/**
 * Money inside the product is a whole number of cents, held as a bigint; dollars exist only on the
 * wire and on screens. The two conversions below are the only crossing.
 */
import { z } from 'zod'

declare const unit: unique symbol
/** A whole number of US cents. */
export type Cents = bigint & { readonly [unit]: 'cents' }

/**
 * The most that one operation may move, in dollars. Far below 2^53 cents, so dollars on the wire
 * stay exact.
 */
export const MAXIMUM_AMOUNT = 10_000_000
/** The smallest withdrawal, in dollars (docs/product.md 13). */
export const MINIMUM_WITHDRAWAL = 10
/**
 * The smallest deposit that the instructions ask for, in dollars; not enforced (docs/product.md
 * 5.5, 13).
 */
export const MINIMUM_DEPOSIT = 10
/** How many deposits of one account may wait for their confirmation. */
export const OPEN_DEPOSITS_LIMIT = 20
/** The landing page's entry amount, in dollars (docs/product.md 13). */
export const MINIMUM_ENTRY = 5
/** The step of every amount field, in dollars (docs/product.md 13). */
export const AMOUNT_STEP = 0.01

/** Marks a bigint as cents. The one place where the brand is put on. */
export const cents = (amount: bigint): Cents => amount as Cents

/**
 * Whether a dollar amount has at most two decimals; exact for every amount up to {@link
 * MAXIMUM_AMOUNT}.
 */
export const hasWholeCents = (dollars: number): boolean =>
  Math.round(dollars * 100) / 100 === dollars

/** Wire to domain: dollars that passed the rules of an amount (fields.ts) become cents. */
export const centsFromDollars = (dollars: number): Cents => {
  if (!hasWholeCents(dollars))
    throw new RangeError(`${dollars} dollars is not a whole number of cents`)
  return cents(BigInt(Math.round(dollars * 100)))
}

/** Domain to wire: cents become dollars. */
export const dollarsFromCents = (amount: Cents): number => {
  const dollars = Number(amount) / 100
  if (!Number.isSafeInteger(Number(amount)))
    throw new RangeError(`${amount} cents cannot be written exactly in dollars`)
  return dollars
}

/** A balance or a total on the wire, in dollars. */
export const dollarsSchema = z.number()

const usDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Dollars as people read them: `$1,234.50`. */
export const formatDollars = (dollars: number): string => usDollars.format(dollars)
