import { expect, test } from 'vitest'
import { fitLine, isReached, median, percentile, rounded } from './arithmetic.ts'

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)

test.each([
  [0.5, 50],
  [0.99, 99],
  [1, 100],
  [0, 1],
])('of 1 to 100, the percentile %d is %d', (share, value) =>
  expect(percentile(hundred, share)).toBe(value),
)

test('one value is its percentile, and none has NaN', () => {
  expect(percentile([7], 0.99)).toBe(7)
  expect(percentile([], 0.5)).toBeNaN()
})

test('the median is the middle or the mean of two', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 3, 2])).toBe(2.5)
})

test('figures are reached at their least, below their most', () => {
  expect(isReached({ name: 'ratio', value: 2.5, least: 2.5 })).toBe(true)
  expect(isReached({ name: 'ratio', value: 2.49, least: 2.5 })).toBe(false)
  expect(isReached({ name: 'ratio', value: 1.3, most: 1.3 })).toBe(false)
  expect(isReached({ name: 'ratio', value: Number.NaN, most: 1.3 })).toBe(false)
  expect(isReached({ name: 'rate', value: 1 })).toBeUndefined()
})

test('numbers are rounded to three digits', () =>
  expect([12_345, 0.012345, 1].map(rounded)).toEqual([12_300, 0.0123, 1]))

test('a fitted line passes through points on it', () => {
  const { base, slope } = fitLine([
    [1, 5],
    [10, 23],
    [100, 203],
  ])
  expect(base).toBeCloseTo(3, 9)
  expect(slope).toBeCloseTo(2, 9)
})
