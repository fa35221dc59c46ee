import { type Rate, textOfRate } from '@pool/contract/chain/rates'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PriceServer, startPriceServer } from '../../testing/prices.ts'
import { readPrice } from './readPrice.ts'

let source: PriceServer
let other: PriceServer
beforeAll(async () => {
  source = await startPriceServer()
  other = await startPriceServer('{"price": 1}')
})
afterAll(() => Promise.all([source.close(), other.close()]))

const now = new Date('2026-01-31T12:00:00Z')
const read = async ({
  at,
  timeoutMs = 10_000,
  stopping = new AbortController().signal,
}: {
  at?: string[]
  timeoutMs?: number
  stopping?: AbortSignal
} = {}) => {
  const found = await readPrice(
    { url: source.url, price: ['price'], at },
    { now, stopping, timeoutMs },
  )
  return found && textOfRate(found as Rate)
}

describe('a price', () => {
  test.each([
    ['{"price": 64123.45}', '64123.45'],
    ['{"price": "64123.450000"}', '64123.45'],
    ['{"price": 0.1234567890123456789}', '0.123456789012'],
    ['{"price": 9007199.254740993}', '9007199.254740993'],
  ])('of %s is %s', async (text, dollars) => {
    source.says(text)
    expect(await read()).toBe(dollars)
  })

  test('is found by names and places', async () => {
    source.says('{"result": {"XBT.USD": [["1", "2.5"]]}}')
    const way = ['result', 'XBT.USD', '0', '1']
    const stopping = new AbortController().signal
    expect(await readPrice({ url: source.url, price: way }, { now, stopping })).toBe(
      2_500_000_000_000n,
    )
  })

  test.each([
    'not JSON',
    '{}',
    '[]',
    'null',
    '{"price": null}',
    '{"price": true}',
    '{"price": 0}',
    '{"price": -5}',
    '{"price": 6.4e4}',
    '{"price": {"toString": "5"}}',
    '{"__proto__": {"price": 5}}',
  ])('is not read from %s', async (text) => {
    source.says(text)
    expect(await read()).toBeNull()
  })

  test.each([
    ['date', 'Sat, 31 Jan 2026 11:57:00 GMT'],
    ['last-modified', 'Sat, 31 Jan 2026 09:00:00 GMT'],
  ])('without a moment is as old as its %s header', async (name, value) => {
    const says = (moment: string) =>
      source.does((_, response) => response.setHeader(name, moment).end('{"price": 5}'))
    says(value)
    expect(await read()).toBeNull()
    says('Sat, 31 Jan 2026 11:59:00 GMT')
    expect(await read()).toBe('5.00')
  })

  test.each([
    ['2026-01-31T11:58:00Z', true],
    ['2026-01-31T11:57:59Z', false],
    ['2026-01-31T12:00:31Z', false],
    ['1769860799', true],
    ['1769860799999.5', true],
    ['1769860000', false],
    ['', false],
    ['soon', false],
  ])('of the moment %j is fresh: %s', async (moment, isFresh) => {
    source.says(JSON.stringify({ price: '5', seen: { at: moment } }))
    expect(await read({ at: ['seen', 'at'] })).toBe(isFresh ? '5.00' : null)
  })

  test('from an old cache is refused', async () => {
    for (const [age, expected] of [
      ['120', '5.00'],
      ['121', null],
    ] as const) {
      source.does((_, response) => response.setHeader('age', age).end('{"price": 5}'))
      expect(await read()).toBe(expected)
    }
  })
})

describe('a source', () => {
  test('may not lead to another host', async () => {
    source.does((_, response) => response.writeHead(302, { location: other.url }).end())
    expect(await read()).toBeNull()
  })

  test('may not answer with an error', async () => {
    source.does((_, response) => response.writeHead(500).end('{"price": 5}'))
    expect(await read()).toBeNull()
  })

  test('may not answer with more than it should', async () => {
    const long = (bytes: number) => `{"price": 5, "more": "${'x'.repeat(bytes)}"}`
    source.says(long(200_000))
    expect(await read()).toBe('5.00')
    source.says(long(300_000))
    expect(await read()).toBeNull()
    source.does(function more(_, response) {
      const write = (): void => {
        while (response.writable && response.write('x'.repeat(65_536)));
      }
      response.on('drain', write)
      write()
    })
    expect(await read()).toBeNull()
  })

  test('that does not answer is given up', async () => {
    source.does(() => undefined)
    expect(await read({ timeoutMs: 50 })).toBeNull()
    source.does((_, response) => response.write('{"price": '))
    expect(await read({ timeoutMs: 50 })).toBeNull()
    expect(await read({ stopping: AbortSignal.abort() })).toBeNull()
  })

  test('that is gone gives nothing', async () => {
    const gone = await startPriceServer()
    await gone.close()
    const stopping = new AbortController().signal
    expect(await readPrice({ url: gone.url, price: ['price'] }, { now, stopping })).toBeNull()
  })
})
