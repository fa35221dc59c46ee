import { expect, test } from 'vitest'
import { beginning } from './beginning.ts'

const zeros = (count: number): readonly number[] => Array.from({ length: count }, () => 0)

test.each([
  ['one point before the first amount', [...zeros(80), 5, ...zeros(9)], 79],
  ['a week for a single late amount', [...zeros(89), 5], 83],
  ['the start for an early amount', [5, ...zeros(40)], 0],
  ['the start of a few points', [0, 0, 5], 0],
  ['a week while nothing happened', zeros(90), 83],
])('a chart draws %s', (_, values, start) => expect(beginning(values)).toBe(start))

test('a chart of two series begins with the earlier one', () =>
  expect(beginning([...zeros(50), 1, ...zeros(39)], [...zeros(20), 1, ...zeros(69)])).toBe(19))
