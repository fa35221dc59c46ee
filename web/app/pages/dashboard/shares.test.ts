import { expect, test } from 'vitest'
import { shareOf, shares } from './shares.ts'

test('a share is rounded down to the cent', () => {
  expect(shares.map((share) => shareOf(100.03, share))).toEqual([25, 50.01, 75.02, 100.03])
  expect(shares.map((share) => shareOf(0.01, share))).toEqual([0, 0, 0, 0.01])
  expect(shareOf(9_999_999.99, 100)).toBe(9_999_999.99)
})
