import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assetsOf } from '../base/assets.ts'
import { type Cents, MAXIMUM_AMOUNT } from '../base/money.ts'
import { networks } from '../base/networks.ts'
import { unitsFor } from './quotes.ts'
import { PAR, type Rate, rateFrom } from './rates.ts'
import { worthOf } from './worth.ts'

const asset = fc.constantFrom(...networks.flatMap(({ name }) => assetsOf(name)))
const amount = fc.bigInt({ min: 1n, max: BigInt(MAXIMUM_AMOUNT) * 100n }) as fc.Arbitrary<Cents>
const units = fc.bigInt({ min: 1n, max: 10n ** 27n })
/** Up to a million dollars for one coin, at which no coin's last typed decimal is worth a cent. */
const rate = fc.bigInt({ min: 1n, max: 9_999n * 10n ** 12n }) as fc.Arbitrary<Rate>

describe('the worth of a payment', () => {
  test('is the amount asked for if its quote is paid', () => {
    fc.assert(
      fc.property(asset, amount, rate, rate, (asset, cents, quoted, now) => {
        const { decimals } = asset
        const quote = { units: unitsFor(cents, quoted, asset), rate: quoted }
        expect(worthOf({ units: quote.units, decimals, rate: now }, quote)).toBe(cents)
      }),
      { numRuns: 2_000 },
    )
  })

  test('never exceeds its coins at the better rate', () => {
    fc.assert(
      fc.property(asset, units, units, rate, rate, (asset, paid, asked, quoted, now) => {
        const { decimals } = asset
        const worth = worthOf({ units: paid, decimals, rate: now }, { units: asked, rate: quoted })
        const [low, high] = quoted < now ? [quoted, now] : [now, quoted]
        const scaled = (worth ?? -1n) * 10n ** BigInt(decimals + 12)
        expect(scaled <= paid * high * 100n).toBe(true)
        expect(scaled + 10n ** BigInt(decimals + 12) > paid * low * 100n).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  test('takes its own rate above the quote and one percent', () => {
    const quote = { units: 1_000_000n, rate: rateFrom('60000') as Rate }
    const paid = (units: bigint) =>
      worthOf({ units, decimals: 8, rate: rateFrom('30000') as Rate }, quote)
    expect(paid(1_000_000n)).toBe(600_00n)
    expect(paid(1_010_000n)).toBe(606_00n)
    expect(paid(2_010_000n)).toBe(906_00n)
  })

  test('is unknown where no rate counts', () => {
    expect(worthOf({ units: 1n, decimals: 8, rate: null })).toBeNull()
    const quote = { units: 100n, rate: PAR }
    expect(worthOf({ units: 101n, decimals: 2, rate: null }, quote)).toBe(101n)
    expect(worthOf({ units: 102n, decimals: 2, rate: null }, quote)).toBeNull()
  })

  test('drops what is less than a cent', () => {
    expect(worthOf({ units: 2_509_999n, decimals: 6, rate: PAR })).toBe(250n)
    expect(worthOf({ units: 1n, decimals: 8, rate: rateFrom('64123.45') })).toBe(0n)
  })
})
