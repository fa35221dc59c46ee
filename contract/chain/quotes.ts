/** Quotes: the coins to send for a deposit (docs/product.md 5.18). */
import { z } from 'zod'
import { type Asset, coins, typedDecimals } from '../base/assets.ts'
import type { Cents } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'
import { rateSources } from './rateSources.ts'
import { RATE_DECIMALS, type Rate } from './rates.ts'

export const CENTS_PER_DOLLAR = 100n

/**
 * The units of a coin, on its chain, that are worth an amount at a rate. Rounded up to the last
 * decimal that people type.
 */
export const unitsFor = (amount: Cents, rate: Rate, { coin, decimals }: Asset): bigint => {
  const typed = typedDecimals(coin)
  const worth = amount * 10n ** BigInt(typed + RATE_DECIMALS)
  const price = rate * CENTS_PER_DOLLAR
  return ((worth + price - 1n) / price) * 10n ** BigInt(decimals - typed)
}

/** Writes units as coins: `0.00389875`. */
export const textOfUnits = (units: bigint, decimals: number): string => {
  const text = String(units).padStart(decimals + 1, '0')
  const part = text.slice(text.length - decimals).replace(/0+$/, '')
  return `${text.slice(0, text.length - decimals)}${part && `.${part}`}`
}

/** Reads coins as units. Undefined where they have more decimals than the coin. */
export const unitsFromText = (text: string, decimals: number): bigint | undefined => {
  const [whole = '0', part = ''] = text.split('.')
  return part.length > decimals ? undefined : BigInt(whole + part.padEnd(decimals, '0'))
}

export const quoteSchema = z.object({
  coin: z.enum(coins),
  /** The coins to send, as decimal text. */
  amount: z.string(),
  /** The same in smallest units of the coin on its chain. */
  units: z.string(),
  /** The rate: dollars for one coin, as decimal text. */
  dollars: z.string(),
  /** Null for one dollar, where the coin had no rate. */
  source: z.enum(rateSources).nullable(),
  /** The moment of the rate. */
  at: timestampSchema,
  /** From then on, a payment counts at the rate of the moment when it is first seen. */
  endsAt: timestampSchema,
})
export type Quote = z.infer<typeof quoteSchema>
