import { assetsOf } from '@pool/contract/base/assets'
import { dateFromTimestamp } from '@pool/contract/base/timestamp'
import { setRate } from '@pool/contract/chain/rates'
import { createWallet, depositTerms } from '@pool/contract/chain/wallets'
import { deposit } from '@pool/contract/requests/requests'
import { transactionStory } from '@pool/contract/requests/stories'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { paidNetworkOf } from '../../base/configuration/paidNetworks.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { newAddress } from '../../testing/addresses.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { chainsFile } from '../../testing/playNode.ts'
import {
  codeOf,
  type Person,
  type Product,
  person,
  rewoundProduct,
  secondProcess,
  startProduct,
  wallets,
} from '../../testing/product.ts'
import { httpOf } from '../../testing/request.ts'
import { requestDeposit } from './requestDeposit.ts'

const shared = rewoundProduct()
let product: Product
let admin: Person
let investor: Person
const start = async (environment?: Record<string, string>) => {
  product = environment === undefined ? shared : await startProduct(environment)
  admin = await person(product, ['ADMIN'])
  investor = await person(product)
  await wallets(product, 3)
}
beforeEach(() => start())
afterEach(async () => {
  await expectWhole(product)
  if (product !== shared) await product.close()
})

const set = (coin: 'BTC' | 'ETH', dollars: string) =>
  product.call(setRate, { token: admin.token, payload: { coin, dollars } })
const addWallet = (networkName: 'Ethereum' | 'Solana') =>
  product.call(createWallet, {
    token: admin.token,
    payload: { address: newAddress(networkName), networkName },
  })
const ask = (more: object = {}, key?: string) =>
  product.call(deposit, {
    token: investor.token,
    payload: { userId: investor.id, amount: 250, ...more },
    ...(key !== undefined && { key }),
  })
const story = (id: string, { token } = investor) =>
  product.call(transactionStory, { token, params: { id } })
const rows = async <Row>(text: string): Promise<Row[]> =>
  (await product.database.superuser.query(text)).rows
const age = (table: string, change: string) =>
  rows(`ALTER TABLE ${table} DISABLE TRIGGER USER; UPDATE ${table} SET ${change};
    ALTER TABLE ${table} ENABLE TRIGGER USER`)

describe('a deposit on a network of one coin', () => {
  test('is quoted by the rate that counts', async () => {
    await set('BTC', '64123.45')
    const { body } = await ask({ networkName: 'Bitcoin' })
    expect(body.quote).toMatchObject({
      coin: 'BTC',
      amount: '0.00389873',
      units: '389873',
      dollars: '64123.45',
      source: 'SET',
    })
    const { quote, transactionId } = body
    const [row] = await rows<{ created_at: Date; ends_at: Date }>('SELECT * FROM quotes')
    expect(row).toMatchObject({
      deposit_id: transactionId,
      units: '389873',
      dollars: '64123.45',
      source: 'SET',
    })
    const endsAt = quote && dateFromTimestamp(quote.endsAt)
    expect(row?.ends_at).toEqual(endsAt)
    expect(Math.round((row?.ends_at.getTime() ?? 0) / 1_000)).toBe(
      Math.round((row?.created_at.getTime() ?? 0) / 1_000) + 15 * 60,
    )
    expect((await story(transactionId)).body.quote).toEqual(quote)
    expect((await story(transactionId, admin)).body.quote).toEqual(quote)
  })

  test('has a quote without naming the network', async () => {
    await set('BTC', '50000')
    expect((await ask()).body.quote).toMatchObject({ coin: 'BTC', amount: '0.005' })
  })

  test('has none without a rate, or with an old one', async () => {
    expect((await ask()).body).not.toHaveProperty('quote')
    await set('BTC', '50000')
    await age('rates', "at = at - interval '5 hours'")
    const { body } = await ask()
    expect(body).not.toHaveProperty('quote')
    expect((await story(body.transactionId)).body).not.toHaveProperty('quote')
    expect(await rows('SELECT FROM quotes')).toEqual([])
  })

  test('keeps its quote when the rate changes', async () => {
    await set('BTC', '50000')
    const { body } = await ask()
    await set('BTC', '100000')
    expect((await story(body.transactionId)).body.quote).toEqual(body.quote)
    expect((await ask()).body.quote).toMatchObject({ amount: '0.0025' })
    await expect(product.database.owner.query('UPDATE quotes SET units = 1')).rejects.toThrow(
      /not allowed/,
    )
    await expect(product.database.owner.query('DELETE FROM quotes')).rejects.toThrow(/not allowed/)
  })
})

describe('a deposit on a network of several coins', () => {
  test('is quoted for the coin that its investor chose', async () => {
    await addWallet('Ethereum')
    await set('ETH', '3000')
    expect((await ask({ networkName: 'Ethereum' })).body).not.toHaveProperty('quote')
    expect((await ask({ networkName: 'ethereum', coin: 'ETH' })).body.quote).toMatchObject({
      amount: '0.08333334',
      units: '83333340000000000',
    })
    expect((await ask({ networkName: 'Ethereum', coin: 'USDC' })).body.quote).toMatchObject({
      coin: 'USDC',
      amount: '250',
      units: '250000000',
      dollars: '1.00',
      source: null,
    })
  })

  test('refuses a coin that its network does not take', async () => {
    await addWallet('Solana')
    expect(codeOf(await ask({ networkName: 'Solana', coin: 'BTC' }))).toBe('coinNotTaken')
    expect((await ask({ networkName: 'Solana', coin: 'DOGE' })).status).toBe(400)
    expect(await rows("SELECT FROM transactions WHERE type = 'deposit'")).toEqual([])
    // The wallet is on another network than the coin.
    expect((await ask({ coin: 'USDC' })).body).not.toHaveProperty('quote')
  })
})

test('a network of CHAINS takes its coins with its decimals', async () => {
  const url = 'http://127.0.0.1:1'
  const CHAINS = chainsFile({
    Ethereum: {
      kind: 'evm',
      url,
      chainId: 31_337,
      tokens: [{ symbol: 'USDC', contract: `0x${'5f'.repeat(20)}`, decimals: 18 }],
    },
  })
  await start({ CHAINS })
  await addWallet('Ethereum')
  expect(codeOf(await ask({ networkName: 'Ethereum', coin: 'USDT' }))).toBe('coinNotTaken')
  const { body } = await ask({ networkName: 'Ethereum', coin: 'USDC' })
  expect(body.quote).toMatchObject({ amount: '250', units: `250${'0'.repeat(18)}` })
  expect((await story(body.transactionId)).body.quote).toEqual(body.quote)
  expect(paidNetworkOf(product.context.config, 'Ethereum')).toMatchObject({
    assets: [{ coin: 'ETH' }, { coin: 'USDC', token: `0x${'5f'.repeat(20)}` }],
    link: { chainId: 31_337 },
  })
  expect(paidNetworkOf(product.context.config, 'Polygon').link).toBeNull()
})

test('the terms name the coins that are quoted', async () => {
  const quoted = async () =>
    (await product.call(depositTerms, { token: investor.token })).body.quoted
  expect(await quoted()).toEqual(['USDC', 'USDT'])
  await set('BTC', '50000')
  expect(await quoted()).toEqual(['BTC', 'USDC', 'USDT'])
})

test('the length of a quote is a setting', async () => {
  await start({ QUOTE_MINUTES: '60' })
  await set('BTC', '50000')
  await ask()
  expect(
    await rows("SELECT ends_at - created_at > interval '59 minutes' AS long FROM quotes"),
  ).toEqual([{ long: true }])
})

describe('a repeated request', () => {
  test('gets the first quote, whatever the rate is now', async () => {
    await set('BTC', '50000')
    const first = await ask({}, 'once')
    await set('BTC', '100000')
    expect((await ask({}, 'once')).body).toEqual(first.body)
    expect(await rows('SELECT FROM quotes')).toHaveLength(1)
    expect(codeOf(await ask({ coin: 'BTC' }, 'once'))).toBe('keyReused')
  })

  test('through two processes has one quote', async () => {
    await set('BTC', '50000')
    const other = await secondProcess(product)
    const send = async (app: Product['app'], key: string) => {
      const { path, ...sent } = httpOf(deposit, {
        token: investor.token,
        payload: { userId: investor.id, amount: 250 },
        key,
      })
      const { body } = (await app.inject({ url: path, ...sent })).json()
      return body.quote
    }
    for (let round = 0; round < 5; round += 1) {
      const quotes = await Promise.all(
        [product.app, other, product.app, other].map((app) => send(app, `round-${round}`)),
      )
      for (const quote of quotes) expect(quote).toEqual(quotes[0])
      expect(quotes[0]).toMatchObject({ amount: '0.005' })
    }
    expect(await rows('SELECT FROM quotes')).toHaveLength(5)
    await other.close()
  })
})

test('each quote is by one of the rates beside it', async () => {
  await set('BTC', '50000')
  const ledgers = [product.context.ledger, openLedger(product.database.pool)]
  const quoting = { taken: assetsOf, configured: [], setHours: 4, minutes: 15 }
  const asked = Array.from({ length: 10 }, (_, place) =>
    requestDeposit(ledgers[place % 2] ?? product.context.ledger, {
      by: { id: investor.id, from: 'tests' },
      amount: 25_000n as never,
      quoting,
    }),
  )
  const changed = ['100000', '50000', '100000'].map((dollars) => set('BTC', dollars))
  for (const { quote } of await Promise.all(asked))
    expect([`${quote?.dollars} ${quote?.amount}`]).toContain(
      quote?.dollars === '50000.00' ? '50000.00 0.005' : '100000.00 0.0025',
    )
  await Promise.all(changed)
})
