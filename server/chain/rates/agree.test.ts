import { type Rate, rateFrom } from '@pool/contract/chain/rates'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agree } from './agree.ts'

const rates = (...texts: string[]) => texts.map((text) => rateFrom(text) as Rate)

test('the median is a price that a source gave', () => {
  expect(agree(rates('100', '100.9', '100.2'))).toEqual({ rate: rateFrom('100.2') })
  expect(agree(rates('100', '100.4', '100.2', '100.3'))).toEqual({ rate: rateFrom('100.2') })
})

test('fewer than three prices give no rate', () => {
  expect(agree([])).toEqual({ problem: 'few' })
  expect(agree(rates('100', '100'))).toEqual({ problem: 'few' })
})

test('one price more than 1 % off ends the agreement', () => {
  expect(agree(rates('100', '100', '101'))).toHaveProperty('rate')
  expect(agree(rates('100', '100', '101.000000000001'))).toEqual({ problem: 'apart' })
  expect(agree(rates('100', '100', '98.9'))).toEqual({ problem: 'apart' })
})

test('one source moves a median by 1 % at most', () => {
  const price = fc.bigInt({ min: 1n, max: 10n ** 18n })
  fc.assert(
    fc.property(fc.array(price, { minLength: 3, maxLength: 9 }), price, (honest, lie) => {
      const agreed = agree([...honest, lie] as Rate[])
      if (!('rate' in agreed)) return
      const least = honest.reduce((a, b) => (a < b ? a : b))
      const most = honest.reduce((a, b) => (a > b ? a : b))
      expect(agreed.rate * 101n >= least * 100n && agreed.rate * 100n <= most * 101n).toBe(true)
    }),
  )
})
