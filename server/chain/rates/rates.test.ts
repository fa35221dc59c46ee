import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listRates } from '@pool/contract/chain/rates'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../base/configuration/config.ts'
import { readWatermarks } from '../../operator/telemetry/watermarks.ts'
import { rewoundDatabase } from '../../testing/database.ts'
import { type PriceServer, startPriceServer } from '../../testing/prices.ts'
import { type Person, type Product, person, startProduct } from '../../testing/product.ts'
import { readPrices } from './readPrices.ts'

let directory: string
let sources: PriceServer[]
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'prices-'))
  sources = await Promise.all(
    ['100', '100.5', '100.2'].map((price) => startPriceServer(said(price))),
  )
})
afterEach(async () => {
  await Promise.all(sources.map(({ close }) => close()))
  rmSync(directory, { recursive: true })
})

const said = (price: string) => JSON.stringify({ data: { price } })
const fileOf = (content: unknown): string => {
  const path = join(directory, 'prices.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
const urls = () => sources.map(({ url }) => ({ url, price: 'data.price' }))

describe('the price URLs of a coin', () => {
  const database = rewoundDatabase()
  let product: Product
  let admin: Person
  beforeEach(async () => {
    product = await startProduct(
      { PRICE_URLS: fileOf({ BTC: urls(), USDC: urls() }) },
      { database: database() },
    )
    admin = await person(product, ['ADMIN'])
  })
  afterEach(() => product.close())

  const read = (context = product.context) => readPrices(context, new AbortController().signal)
  const rateOf = async (coin: string) =>
    (await product.call(listRates, { token: admin.token })).body.find((each) => each.coin === coin)
  const say = (...prices: string[]) => {
    for (const [place, { says }] of sources.entries()) says(said(prices[place] ?? ''))
  }
  const later = (seconds: number) =>
    product.database.superuser.query(`ALTER TABLE rates DISABLE TRIGGER USER;
      UPDATE rates SET at = at - interval '${seconds} seconds';
      ALTER TABLE rates ENABLE TRIGGER USER;
      UPDATE price_readings SET whole_at = whole_at - interval '${seconds} seconds'`)

  test('give a rate by their median', async () => {
    expect(await rateOf('BTC')).toMatchObject({ dollars: null, state: 'none', reading: null })
    expect(await read()).toEqual(['BTC', 'USDC'])
    expect(await rateOf('BTC')).toMatchObject({
      dollars: '100.20',
      source: 'MEDIAN',
      state: 'counts',
      setBy: null,
      reading: {
        problem: null,
        prices: ['100.00', '100.50', '100.20'].map((dollars, place) => ({
          host: new URL(sources[place]?.url ?? '').host,
          dollars,
        })),
      },
    })
    // Far from one dollar, it waits for a person.
    expect(await rateOf('USDC')).toMatchObject({ dollars: '100.20', state: 'far' })
    expect(await rateOf('ETH')).toMatchObject({ state: 'none', reading: null })
  })

  test('add a row each time and change none', async () => {
    await read()
    say('200', '200', '200')
    await read()
    const { rows } = await product.database.pool.query(
      "SELECT dollars::text FROM rates WHERE coin = 'BTC' ORDER BY created_at, id",
    )
    expect(rows).toEqual([{ dollars: '100.20' }, { dollars: '200.00' }])
    for (const change of ["SET coin = 'ETH'", 'SET dollars = 1'])
      await expect(product.database.owner.query(`UPDATE rates ${change}`)).rejects.toThrow(
        /not allowed/,
      )
    await expect(product.database.owner.query('TRUNCATE rates')).rejects.toThrow(/not allowed/)
  })

  test('that disagree leave the last rate to age', async () => {
    await read()
    say('100', '100', '102')
    expect(await read()).toEqual([])
    expect(await rateOf('BTC')).toMatchObject({
      state: 'counts',
      reading: { problem: 'apart' },
    })
    expect(await readWatermarks(product.context.db)).toMatchObject({ pricesApart: 2 })
    await later(121)
    expect(await rateOf('BTC')).toMatchObject({ dollars: '100.20', state: 'old' })
  })

  test('that fall away are told by age', async () => {
    expect(await readWatermarks(product.context.db)).toMatchObject({
      priceLag: null,
      pricesApart: 0,
    })
    await read()
    say('100', '100', 'none')
    await later(400)
    expect(await read()).toEqual([])
    expect(await rateOf('BTC')).toMatchObject({
      reading: { problem: 'few', prices: [{}, {}, { dollars: null }] },
    })
    const { priceLag } = await readWatermarks(product.context.db)
    expect(priceLag).toBeGreaterThanOrEqual(400)
  })

  test('that left the settings leave no reading', async () => {
    await read()
    expect(await read({ ...product.context, config: readConfig({}) })).toEqual([])
    expect(await readWatermarks(product.context.db)).toMatchObject({ priceLag: null })
  })

  test('say nothing when the product stops', async () => {
    expect(await readPrices(product.context, AbortSignal.abort())).toEqual([])
    expect(await rateOf('BTC')).toMatchObject({ reading: null })
  })
})

describe('the file of price URLs', () => {
  const read = (content: unknown) => () => readConfig({ PRICE_URLS: fileOf(content) })

  test('names coins, URLs and ways', () => {
    const [one, ...others] = urls()
    const { priceUrls } = read({ ETH: [{ ...one, at: ['data', 'a.t'] }, ...others] })()
    expect(priceUrls.ETH?.[0]).toMatchObject({ price: ['data', 'price'], at: ['data', 'a.t'] })
    expect(readConfig({}).priceUrls).toEqual({})
  })

  test.each([
    ['not JSON', /PRICE_URLS must be the path of a JSON file/],
    [{ DOGE: [] }, /PRICE_URLS names a file with a fault: Unrecognized key: "DOGE"/],
    [{ BTC: [] }, /fault: BTC must have at least 3 URLs/],
    [{ BTC: [{ url: 'http://example.com/', price: 'a' }] }, /BTC\.0\.url must be an https/],
    [{ BTC: [{ url: 'https://u:p@example.com/', price: 'a' }] }, /BTC\.0\.url must be an https/],
    [{ BTC: [{ url: 'file:///etc/passwd', price: 'a' }] }, /BTC\.0\.url must be an https/],
    [{ BTC: [{ url: 'https://example.com/', price: '' }] }, /BTC\.0\.price /],
    [{ BTC: [{ url: 'https://example.com/' }] }, /BTC\.0\.price /],
    [
      { BTC: ['1', '2', '3'].map((path) => ({ url: `https://example.com/${path}`, price: 'a' })) },
      /BTC must name each host once/,
    ],
  ])('with a fault is refused: %j', (content, fault) => {
    expect(read(content)).toThrow(fault)
  })

  test('is named with all its faults', () => {
    const bad = { BTC: [{ url: 'ftp://x/', price: 'a' }], ETH: [] }
    expect(read(bad)).toThrow(/BTC\.0\.url[\s\S]*ETH must have at least 3/)
  })
})
