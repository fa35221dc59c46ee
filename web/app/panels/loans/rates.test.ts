import { expect, test } from 'vitest'
import { rateText, readRate } from './rates.ts'

test.each([
  ['12', 1200],
  ['12.5', 1250],
  [' 0,07 % ', 7],
  ['100', 10_000],
])('the typed rate %s is %i basis points', (typed, basisPoints) => {
  expect(readRate(typed)).toBe(basisPoints)
})

test.each(['', '-1', '1.234', 'twelve', '1e3', '1 2'])('the text %j is no rate', (typed) => {
  expect(readRate(typed)).toBeNaN()
})

test('a rate shows its decimals and no more', () => {
  expect([rateText(1200), rateText(1255)]).toEqual(['12%', '12.55%'])
})
