/** The quote of a deposit: the coins to send by the rate of its moment. */
import { type Asset, type Coin, coins } from '@pool/contract/base/assets'
import type { Cents } from '@pool/contract/base/money'
import { unitsFor } from '@pool/contract/chain/quotes'
import {
  countingRate,
  type KnownRate,
  type Rate,
  type RateSource,
  rateFrom,
  textOfRate,
} from '@pool/contract/chain/rates'
import type { PostedQuote, RowToWrite, Statement, StateReading } from './movement.ts'

/** Settings of the quote of a deposit. */
export type Quoting = {
  /** The coin that the investor chose. Undefined is the only one of the network, if it has one. */
  readonly coin?: Coin | undefined
  /** The coins that a network takes, as `CHAINS` names them. */
  readonly taken: (networkName: string) => readonly Asset[]
  /** Coins that have price URLs. */
  readonly configured: readonly Coin[]
  /** Hours for which a rate that people set counts. */
  readonly setHours: number
  /** The length of a quote. */
  readonly minutes: number
}

const NEWEST = `
SELECT r.coin, r.dollars::text AS dollars, r.source, r.at FROM unnest($1::text[]) AS named (coin)
CROSS JOIN LATERAL (SELECT * FROM rates WHERE coin = named.coin ORDER BY created_at DESC, id DESC LIMIT 1) AS r`

type Quoted = { readonly quoting?: Quoting | undefined }

/** The newest rate of each coin that has one. */
export type Rates = ReadonlyMap<Coin, KnownRate>

export const rates: StateReading<Quoted, Rates> = {
  read: async (query, requests) => {
    if (!requests.some(({ quoting }) => quoting)) return new Map()
    type Newest = { coin: Coin; dollars: string; source: RateSource; at: Date }
    const rows = await query<Newest>('read_rates', NEWEST, [coins])
    return new Map(
      rows.map(({ coin, dollars, source, at }) => [
        coin,
        { rate: rateFrom(dollars) as Rate, source, at },
      ]),
    )
  },
}

const assetOf = (networkName: string, { coin, taken }: Quoting): Asset | undefined => {
  const assets = taken(networkName)
  if (coin === undefined) return assets.length === 1 ? assets[0] : undefined
  return assets.find((asset) => asset.coin === coin)
}

type QuoteRequest = {
  readonly quoting: Quoting
  readonly networkName: string
  readonly amount: Cents
  readonly rates: Rates
  /** The moment of the group. */
  readonly at: string
}

/** The quote of a request, where the rate of its coin counts. */
export const quoteFor = ({ quoting, networkName, amount, rates, at }: QuoteRequest) => {
  const asset = assetOf(networkName, quoting)
  if (!asset) return undefined
  const { coin, decimals } = asset
  const now = new Date(at)
  const counting = countingRate({
    coin,
    newest: rates.get(coin),
    isConfigured: quoting.configured.includes(coin),
    setHours: quoting.setHours,
    now,
  })
  if (!counting) return undefined
  return {
    coin,
    units: String(unitsFor(amount, counting.rate, asset)),
    decimals,
    dollars: textOfRate(counting.rate),
    source: counting.source,
    at: counting.at.toISOString(),
    endsAt: new Date(now.getTime() + quoting.minutes * 60_000).toISOString(),
  } satisfies PostedQuote
}

const QUOTES: Statement = {
  name: 'quotes',
  text: `
INSERT INTO quotes (deposit_id, coin, units, dollars, source, at, ends_at)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::numeric[], $4::numeric[], $5::text[], $6::timestamptz[], $7::timestamptz[])`,
}

export const quoteRow = (depositId: string, quote: PostedQuote): RowToWrite => ({
  into: QUOTES,
  values: [depositId, quote.coin, quote.units, quote.dollars, quote.source, quote.at, quote.endsAt],
})
