import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Coin, coins, isDollar } from '../base/assets.ts'
import {
  type CountingRate,
  countingRate,
  type KnownRate,
  PAR,
  type Rate,
  type RateSource,
  rateFrom,
  textOfRate,
} from './rates.ts'

const rate = (text: string) => rateFrom(text) as Rate

describe('a rate in decimal text', () => {
  test('is read and written exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 21n - 1n }), (units) => {
        expect(rateFrom(textOfRate(units as Rate))).toBe(units)
      }),
    )
    expect(rate('0.1') + rate('0.2')).toBe(rate('0.3'))
    expect(textOfRate(rate('64123.4'))).toBe('64123.40')
    expect(textOfRate(rate('0.000000000001'))).toBe('0.000000000001')
  })

  test('drops digits that it cannot hold', () => {
    expect(rate('1.0000000000019')).toBe(rate('1.000000000001'))
  })

  test.each(['', '0', '0.0000000000001', '-1', '1e4', '1,000', '.5', '5.', ' 5', '1000000000'])(
    '%j is none',
    (text) => {
      expect(rateFrom(text)).toBeNull()
    },
  )
})

describe('the rate that counts', () => {
  const now = new Date('2026-01-31T12:00:00Z')
  const known = (dollars: string, source: RateSource, secondsAgo: number): KnownRate => ({
    rate: rate(dollars),
    source,
    at: new Date(now.getTime() - secondsAgo * 1_000),
  })
  const counting = (coin: Coin, newest?: KnownRate, isConfigured = false) =>
    countingRate({ coin, newest, isConfigured, setHours: 4, now })
  const dollarsOf = (counted: CountingRate | null) => counted && textOfRate(counted.rate)

  test.each([
    ['SET', 4 * 3_600, '100.00'],
    ['SET', 4 * 3_600 + 1, null],
    ['MEDIAN', 120, '100.00'],
    ['MEDIAN', 121, null],
  ] as const)('by %s of %i seconds ago is %s', (source, seconds, expected) => {
    expect(dollarsOf(counting('BTC', known('100', source, seconds)))).toBe(expected)
  })

  test.each([
    ['0.995', '1.00'],
    ['1.005', '1.00'],
    ['0.994999999999', null],
    ['1.005000000001', null],
  ])('of a coin of one dollar at %s is %s', (dollars, expected) => {
    for (const source of ['SET', 'MEDIAN'] as const)
      expect(dollarsOf(counting('USDC', known(dollars, source, 60), true))).toBe(expected)
  })

  test('of a dollar coin outlives hours, not a stale median', () => {
    const old = 400 * 24 * 3_600
    expect(dollarsOf(counting('USDT', known('0.999', 'SET', old)))).toBe('1.00')
    expect(counting('USDT', known('0.9', 'SET', old))).toBeNull()
    expect(counting('USDT', known('0.999', 'MEDIAN', 121), true)).toBeNull()
  })

  test('without any source is one dollar or nothing', () => {
    for (const coin of coins) {
      expect(counting(coin)?.rate ?? null).toBe(isDollar(coin) ? PAR : null)
      expect(counting(coin, undefined, true)).toBeNull()
    }
  })
})
