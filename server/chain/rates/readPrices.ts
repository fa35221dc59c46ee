import { type Coin, coins } from '@pool/contract/base/assets'
import { textOfRate } from '@pool/contract/chain/rates'
import { type Kysely, sql } from 'kysely'
import type { PriceUrl } from '../../base/configuration/priceUrls.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { agree } from './agree.ts'
import { readPrice } from './readPrice.ts'

type PricesContext = WithDb & WithConfig

/**
 * Reads the price URLs of every coin, and writes a rate where they agree. A coin without price URLs
 * keeps no reading. Returns the coins that got a rate.
 */
export const readPrices = async (
  { config, db }: PricesContext,
  stopping: AbortSignal,
): Promise<readonly Coin[]> => {
  const configured = coins.filter((coin) => config.priceUrls[coin])
  await db
    .deleteFrom('price_readings')
    .$if(configured.length > 0, (query) => query.where('coin', 'not in', configured))
    .execute()
  if (configured.length === 0) return []
  const { rows } = await sql<{ now: Date }>`SELECT now()`.execute(db)
  const now = rows[0]?.now ?? new Date()
  const got = await Promise.all(
    configured.map(async (coin) => {
      const urls = config.priceUrls[coin] ?? []
      return (await readCoin(db, { coin, urls, now, stopping })) ? coin : []
    }),
  )
  return got.flat()
}

type CoinReading = {
  readonly coin: Coin
  readonly urls: readonly PriceUrl[]
  readonly now: Date
  readonly stopping: AbortSignal
}

const readCoin = async (db: Kysely<Schema>, { coin, urls, now, stopping }: CoinReading) => {
  const read = await Promise.all(urls.map((each) => readPrice(each, { now, stopping })))
  // A stop says nothing of the sources.
  if (stopping.aborted) return false
  const agreed = agree(read.filter((price) => price !== null))
  const prices = JSON.stringify(
    urls.map(({ url }, place) => {
      const price = read[place] ?? null
      return { host: new URL(url).host, dollars: price && textOfRate(price) }
    }),
  )
  const rate = 'rate' in agreed ? agreed.rate : undefined
  await db.transaction().execute(async (transaction) => {
    if (rate !== undefined)
      await transaction
        .insertInto('rates')
        .values({ id: newId(), coin, dollars: textOfRate(rate), source: 'MEDIAN', at: now, prices })
        .execute()
    const reading = {
      at: now,
      problem: 'problem' in agreed ? agreed.problem : null,
      prices,
      ...(rate !== undefined && { whole_at: now }),
    }
    await transaction
      .insertInto('price_readings')
      .values({ coin, whole_at: now, ...reading })
      .onConflict((conflict) => conflict.column('coin').doUpdateSet(reading))
      .execute()
  })
  return rate !== undefined
}
