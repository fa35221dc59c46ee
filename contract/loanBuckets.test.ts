import { expect, test } from 'vitest'
import { bucketOf } from './loanBuckets.ts'

test.each([
  [0, 'current'],
  [1, 'to30'],
  [30, 'to30'],
  [31, 'to60'],
  [60, 'to60'],
  [61, 'to90'],
  [90, 'to90'],
  [91, 'over90'],
  [10_000, 'over90'],
] as const)('%i days past due stand in the band %s', (days, bucket) => {
  expect(bucketOf(days)).toBe(bucket)
})
