/** The rows of rates. None is changed or deleted. */
import { type Coin, coins, isDollar } from '@pool/contract/base/assets'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import {
  type CoinRate,
  countingRate,
  isNearOne,
  type KnownRate,
  type PriceProblem,
  type Rate,
  type RateSource,
  rateFrom,
  textOfRate,
} from '@pool/contract/chain/rates'
import { type Kysely, sql } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { record } from '../../records/audit/record.ts'

type Setting = {
  readonly coin: Coin
  readonly dollars: string
  /** The id of the person who asked for it. */
  readonly setBy: string
  /** The moment of the price. Undefined is now. */
  readonly at?: Date
  /** The id of the agreement, where two people set it. */
  readonly agreedId?: string
  readonly by: Actor
}

/** Puts a rate in force that people set. Returns its id. */
export const insertSetRate = async (
  transaction: Kysely<Schema>,
  keys: Keys,
  { coin, dollars, setBy, at, agreedId, by }: Setting,
): Promise<string> => {
  const id = agreedId ?? newId()
  await transaction
    .insertInto('rates')
    .values({
      id,
      coin,
      dollars,
      source: 'SET',
      set_by: setBy,
      at: at ?? sql<Date>`now()`,
    })
    .execute()
  await record(transaction, keys, {
    by,
    action: 'rate.set',
    subject: { type: 'rate', id },
    after: { coin, dollars },
  })
  return id
}

type RateRow = {
  readonly coin: Coin
  readonly now: Date
  readonly dollars: string | null
  readonly source: RateSource | null
  readonly at: Date | null
  readonly set_by: string | null
  readonly read_at: Date | null
  readonly problem: PriceProblem | null
  readonly prices: readonly { host: string; dollars: string | null }[] | null
}

/** A rate on record. */
const knownRate = ({ dollars, source, at }: RateRow): KnownRate | undefined =>
  dollars !== null && source && at ? { rate: rateFrom(dollars) as Rate, source, at } : undefined

const stateOf = (asked: Parameters<typeof countingRate>[0]): CoinRate['state'] => {
  if (countingRate(asked)) return 'counts'
  if (!asked.newest) return 'none'
  return isDollar(asked.coin) && !isNearOne(asked.newest.rate) ? 'far' : 'old'
}

/** The newest rate of each coin, and the last reading of its price URLs. */
export const listRates = async ({ config, db }: WithDb & WithConfig): Promise<CoinRate[]> => {
  const { rows } = await sql<RateRow>`
    SELECT named.coin, now(), r.dollars::text, r.source, r.at, u.username AS set_by,
      p.at AS read_at, p.problem, p.prices
    FROM unnest(${coins}::text[]) WITH ORDINALITY AS named (coin, place)
    LEFT JOIN LATERAL (
      SELECT * FROM rates WHERE coin = named.coin ORDER BY created_at DESC, id DESC LIMIT 1) AS r ON true
    LEFT JOIN users AS u ON u.id = r.set_by
    LEFT JOIN price_readings AS p ON p.coin = named.coin
    ORDER BY place`.execute(db)
  return rows.map((row) => {
    const { coin, now, read_at, problem, prices } = row
    const newest = knownRate(row)
    const isConfigured = config.priceUrls[coin] !== undefined
    const setHours = config.setRateHours
    return {
      coin,
      isDollar: isDollar(coin),
      dollars: newest ? textOfRate(newest.rate) : null,
      source: newest?.source ?? null,
      at: newest ? timestampFromDate(newest.at) : null,
      setBy: row.set_by,
      state: stateOf({ coin, newest, isConfigured, setHours, now }),
      reading:
        isConfigured && read_at && prices
          ? { at: timestampFromDate(read_at), problem, prices: [...prices] }
          : null,
    }
  })
}

/** The coins whose rate counts now. */
export const quotedCoins = async (context: WithDb & WithConfig): Promise<Coin[]> =>
  (await listRates(context)).flatMap(({ coin, state }) => (state === 'counts' ? coin : []))
