import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Asset, assetsOf, typedDecimals } from '../base/assets.ts'
import { type Cents, MAXIMUM_AMOUNT } from '../base/money.ts'
import { networks } from '../base/networks.ts'
import { textOfUnits, unitsFor } from './quotes.ts'
import { PAR, type Rate, rateFrom } from './rates.ts'

const assets = networks.flatMap(({ name }) => assetsOf(name))
const amount = fc.bigInt({ min: 1n, max: BigInt(MAXIMUM_AMOUNT) * 100n }) as fc.Arbitrary<Cents>
const rate = fc.bigInt({ min: 1n, max: 10n ** 21n - 1n }) as fc.Arbitrary<Rate>

/** Compares units times rate with cents, without a division. */
const isWorth = (units: bigint, { decimals }: Asset, rate: Rate, cents: Cents): boolean =>
  units * rate * 100n >= cents * 10n ** BigInt(decimals + 12)

describe('the coins of a quote', () => {
  test('are worth the dollars, by less than one unit more', () => {
    fc.assert(
      fc.property(fc.constantFrom(...assets), amount, rate, (asset, cents, rate) => {
        const step = 10n ** BigInt(asset.decimals - typedDecimals(asset.coin))
        const units = unitsFor(cents, rate, asset)
        expect(units % step).toBe(0n)
        expect(isWorth(units, asset, rate, cents)).toBe(true)
        expect(isWorth(units - step, asset, rate, cents)).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  test('are the dollars themselves at one dollar', () => {
    for (const asset of assets)
      expect(textOfUnits(unitsFor(250_50n as Cents, PAR, asset), asset.decimals)).toBe('250.5')
  })

  test('have a last decimal worth less than a cent', () => {
    for (const { coin } of assets) {
      const million = rateFrom(coin === 'BTC' ? '900000' : '9000') as Rate
      expect(million < 10n ** BigInt(typedDecimals(coin)) * 10n ** 10n).toBe(true)
    }
  })

  test.each([
    ['Bitcoin', 'BTC', '250', '64123.45', '0.00389873'],
    ['Ethereum', 'ETH', '1000', '3000', '0.33333334'],
    ['Solana', 'SOL', '10', '150.25', '0.066556'],
    ['Binance Smart Chain', 'USDT', '10.01', '1', '10.01'],
  ])('on %s are %s for %s dollars at %s: %s', (network, coin, dollars, price, expected) => {
    const asset = assetsOf(network).find((each) => each.coin === coin) as Asset
    const cents = BigInt(Number(dollars) * 100) as Cents
    expect(textOfUnits(unitsFor(cents, rateFrom(price) as Rate, asset), asset.decimals)).toBe(
      expected,
    )
  })
})

test('units are written as coins without idle zeros', () => {
  expect(textOfUnits(1n, 18)).toBe('0.000000000000000001')
  expect(textOfUnits(10n ** 18n, 18)).toBe('1')
  expect(textOfUnits(1_050_000_000_000_000_000n, 18)).toBe('1.05')
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 40n }), fc.nat({ max: 18 }), (units, decimals) => {
      const [whole = '', part = ''] = textOfUnits(units, decimals).split('.')
      expect(BigInt(whole + part.padEnd(decimals, '0'))).toBe(units)
    }),
  )
})
