/** The dollars that coins count as. */
import { type Cents, cents } from '../base/money.ts'
import { CENTS_PER_DOLLAR } from './quotes.ts'
import { RATE_DECIMALS, type Rate } from './rates.ts'

type Paid = {
  readonly units: bigint
  /** Decimals of the units. */
  readonly decimals: number
  /** The rate when it was first seen. Null where none counted. */
  readonly rate: Rate | null
}
type Quoted = { readonly units: bigint; readonly rate: Rate }

/**
 * The cents that a payment counts as, rounded down. A quote serves its coins and 1 % more; what is
 * above counts at the payment's own rate (docs/product.md 5.18). Null where no rate counts.
 */
export const worthOf = ({ units, decimals, rate }: Paid, quote?: Quoted): Cents | null => {
  const most = quote ? (quote.units * 101n) / 100n : 0n
  const served = units < most ? units : most
  const rest = units - served
  if (rest > 0n && rate === null) return null
  const worth = served * (quote?.rate ?? 0n) + rest * (rate ?? 0n)
  return cents((worth * CENTS_PER_DOLLAR) / 10n ** BigInt(decimals + RATE_DECIMALS))
}
