/** The rates that counted at moments of the past, for payments that were seen then. */
import { type Coin, coins } from '@pool/contract/base/assets'
import {
  type CountingRate,
  countingRate,
  type RateSource,
  rateFrom,
} from '@pool/contract/chain/rates'
import { type Kysely, sql } from 'kysely'
import type { Config } from '../../base/configuration/config.ts'
import type { Schema } from '../../base/db/schema.ts'

/** Settings of rates. */
export type Pricing = Pick<Config, 'priceUrls' | 'setRateHours'>

/** A coin, and a moment in seconds since 1970. Null, or one to come, is now. */
export type Moment = { readonly coin: string; readonly seconds: number | null }

type RateAtMoment = {
  readonly moment: Date
  readonly dollars: string | null
  readonly source: RateSource | null
  readonly at: Date | null
}

const isCoin = (symbol: string): symbol is Coin => (coins as readonly string[]).includes(symbol)

/** The moments by the database's clock, each with the rate that counted then, or null. */
export const ratesAt = async (
  db: Kysely<Schema>,
  { priceUrls, setRateHours }: Pricing,
  asked: readonly Moment[],
): Promise<{ readonly moment: Date; readonly rate: CountingRate | null }[]> => {
  if (asked.length === 0) return []
  const { rows } = await sql<RateAtMoment>`
    SELECT moment, r.dollars::text, r.source, r.at
    FROM unnest(${asked.map(({ coin }) => coin)}::text[], ${asked.map(({ seconds }) => seconds)}::float8[])
      WITH ORDINALITY AS named (coin, seconds, place)
    CROSS JOIN LATERAL (SELECT least(now(), to_timestamp(seconds)) AS moment OFFSET 0) AS clock
    LEFT JOIN LATERAL (
      SELECT * FROM rates WHERE coin = named.coin AND created_at <= moment
      ORDER BY created_at DESC, id DESC LIMIT 1) AS r ON true
    ORDER BY place`.execute(db)
  return rows.map(({ moment, dollars, source, at }, place) => {
    const coin = asked[place]?.coin ?? ''
    if (!isCoin(coin)) return { moment, rate: null }
    const rate = dollars === null ? null : rateFrom(dollars)
    const newest = rate && source && at ? { rate, source, at } : undefined
    const isConfigured = priceUrls[coin] !== undefined
    return {
      moment,
      rate: countingRate({ coin, newest, isConfigured, setHours: setRateHours, now: moment }),
    }
  })
}
