/** Rates: the dollars that a coin counts as (docs/decisions/046). */
import { z } from 'zod'
import { type Coin, coins, isDollar } from '../base/assets.ts'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'
import { rateSources } from './rateSources.ts'

/** Decimal places of a rate. */
export const RATE_DECIMALS = 12
const SCALE = 1_000_000_000_000n

declare const unit: unique symbol
/** A whole number of 10⁻¹² dollars for one coin. */
export type Rate = bigint & { readonly [unit]: 'rate' }

/** One dollar. */
export const PAR = SCALE as Rate

const RATE = /^(\d{1,9})(?:\.(\d{1,40}))?$/

/** Reads a decimal number of dollars exactly. Drops digits past the 12th decimal. Null for none. */
export const rateFrom = (text: string): Rate | null => {
  const [, whole, decimals = ''] = RATE.exec(text) ?? []
  if (whole === undefined) return null
  const rate = BigInt(whole + decimals.slice(0, RATE_DECIMALS).padEnd(RATE_DECIMALS, '0'))
  return rate > 0n ? (rate as Rate) : null
}

/** Writes a rate as dollars, with at least two decimals: `64123.45`. */
export const textOfRate = (rate: Rate): string => {
  const decimals = String(rate % SCALE)
    .padStart(RATE_DECIMALS, '0')
    .replace(/0+$/, '')
  return `${rate / SCALE}.${decimals.padEnd(2, '0')}`
}

export type RateSource = (typeof rateSources)[number]

/** Seconds after which a median, or the price of one source, counts no more. */
export const MEDIAN_SECONDS = 120
/** Seconds within which a second person approves a rate. */
export const APPROVAL_SECONDS = 3_600
/** The fewest sources that a median needs. */
export const FEWEST_SOURCES = 3

/** Rates within which a coin of one dollar counts 1:1: 0.995 to 1.005 dollars. */
const LEAST = 995_000_000_000n
const MOST = 1_005_000_000_000n

/** The newest row of a coin. */
export type KnownRate = {
  readonly rate: Rate
  readonly source: RateSource
  /** The moment of the price. */
  readonly at: Date
}

/** A rate that counts. Without a source it is the one dollar of a coin that has no rate. */
export type CountingRate = {
  readonly rate: Rate
  readonly source: RateSource | null
  readonly at: Date
}

/** True for a rate within which a coin of one dollar counts 1:1. */
export const isNearOne = (rate: Rate): boolean => rate >= LEAST && rate <= MOST

type RateToJudge = {
  readonly coin: Coin
  readonly newest: KnownRate | undefined
  /** True if price URLs of the coin are set. */
  readonly isConfigured: boolean
  /** Hours for which a rate that people set counts. */
  readonly setHours: number
  readonly now: Date
}

/**
 * The rate that a coin counts at now, or null. An older row never takes the place of the newest. A
 * coin near one dollar counts 1:1, also by a set rate of any age, or without any source.
 */
export const countingRate = ({
  coin,
  newest,
  isConfigured,
  setHours,
  now,
}: RateToJudge): CountingRate | null => {
  if (!newest) return isDollar(coin) && !isConfigured ? { rate: PAR, source: null, at: now } : null
  const { rate, source, at } = newest
  const seconds = source === 'MEDIAN' ? MEDIAN_SECONDS : setHours * 3_600
  const isFresh = now.getTime() - at.getTime() <= seconds * 1_000
  if (!isDollar(coin)) return isFresh ? newest : null
  if (!isNearOne(rate) || (source === 'MEDIAN' && !isFresh)) return null
  return { rate: PAR, source, at }
}

/** Why the sources of a coin gave no rate at their last reading. */
export const priceProblems = ['few', 'apart'] as const
export type PriceProblem = (typeof priceProblems)[number]

/** States of a coin: its rate counts, is too old, is too far from one dollar, or is not known. */
export const rateStates = ['counts', 'old', 'far', 'none'] as const

const rateSchema = z.object({
  coin: z.enum(coins),
  /** True for a coin that counts as one dollar while its rate is near it. */
  isDollar: z.boolean(),
  /** Dollars as exact decimal text. Null without a rate. */
  dollars: z.string().nullable(),
  source: z.enum(rateSources).nullable(),
  /** The moment of the price. */
  at: timestampSchema.nullable(),
  /** The email of the person who asked for a set rate. */
  setBy: z.string().nullable(),
  state: z.enum(rateStates),
  /** The last reading of its price URLs. Null without any. */
  reading: z
    .object({
      at: timestampSchema,
      problem: z.enum(priceProblems).nullable(),
      /** The price of each source by its host, null for one without a fresh price. */
      prices: z.array(z.object({ host: z.string(), dollars: z.string().nullable() })),
    })
    .nullable(),
})
export type CoinRate = z.infer<typeof rateSchema>

const RATES = '/api/v1/admin/rates'

export const listRates = {
  method: 'GET',
  path: RATES,
  access: 'staff',
  summary:
    'List the newest rate of each coin, what it counts as, and the last reading of its price URLs',
  body: z.array(rateSchema),
} as const satisfies Endpoint

const waitsSchema = z.literal(true).optional()

export const setRate = {
  method: 'POST',
  path: RATES,
  access: 'staff',
  stepUp: true,
  summary:
    'Set the dollars that a coin counts as, in decimal text. In live mode a second member of staff approves it within an hour',
  payload: z.object({
    coin: z.enum(coins, { error: () => validation.fillAllFields }),
    dollars: z
      .string({ error: () => validation.fillAllFields })
      .trim()
      .regex(/^\d{1,9}(\.\d{1,12})?$/, validation.rateDecimal)
      .refine((text) => rateFrom(text) !== null, validation.rateDecimal),
  }),
  narration: ({ waits }: { readonly waits?: true | undefined }): string =>
    waits
      ? 'Asked for. It counts once another member of staff approves it, within an hour.'
      : 'Rate set. It is in use now.',
  body: z.object({ id: idSchema, waits: waitsSchema }),
} as const satisfies Endpoint
