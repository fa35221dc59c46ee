import { expect, test } from 'vitest'
import { periodsFor, valueOverTime } from './valueOverTime.ts'

const DAY_MS = 86_400_000
const today = Date.UTC(2026, 10, 21)
/** One figure a day until today: 1, 2, 3… */
const history = (days: number) =>
  Array.from({ length: days }, (_, index) => ({
    at: new Date(today - (days - 1 - index) * DAY_MS),
    amount: index + 1,
  }))
const amounts = (days: number, period: Parameters<typeof valueOverTime>[1]) =>
  valueOverTime(history(days), period).map(({ amount }) => amount)

test('a young chart begins on the day before its data', () => {
  expect(amounts(1, 'quarter')).toEqual([0, 1])
  expect(amounts(3, 'week')).toEqual([0, 1, 2, 3])
  expect(valueOverTime(history(1), 'all')[0]?.at).toEqual(new Date(today - DAY_MS))
  expect(valueOverTime([], 'all')).toEqual([])
})

test('a period shows its days and no others', () => {
  expect(amounts(100, 'week')).toEqual([93, 94, 95, 96, 97, 98, 99, 100])
  expect(amounts(100, 'month')).toHaveLength(31)
  expect(amounts(100, 'all')).toHaveLength(101)
})

test('a long period is thinned out and ends today', () => {
  const drawn = amounts(1_000, 'all')
  expect(drawn.length).toBeLessThanOrEqual(180)
  expect(drawn.slice(-2)).toEqual([994, 1_000])
})

test('periods are offered once they differ', () => {
  expect(periodsFor(history(7))).toEqual([])
  expect(periodsFor(history(8))).toEqual(['week', 'month'])
  expect(periodsFor(history(31))).toEqual(['week', 'month', 'quarter'])
  expect(periodsFor(history(91))).toEqual(['week', 'month', 'quarter', 'all'])
})
