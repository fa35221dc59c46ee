import { expect, test } from 'vitest'
import { chooseDefaulting } from './loans.ts'

const loan = (id: string, dollars: number, isInDefault = false) => ({
  id,
  outstanding: BigInt(dollars * 100),
  isInDefault,
})
const LOANS = [loan('big', 6_000), loan('small', 1_000), loan('middle', 2_500), loan('last', 500)]
const chosen = (percent: number, loans = LOANS) =>
  chooseDefaulting(loans, percent).map(({ id }) => id)

test('a default is a share of the outstanding principal', () => {
  expect(chosen(0)).toEqual([])
  expect(chosen(15)).toEqual(['small', 'last'])
  expect(chosen(40)).toEqual(['small', 'middle', 'last'])
  expect(chosen(60)).toEqual(['big'])
  expect(chosen(100)).toEqual(['big', 'small', 'middle', 'last'])
})

test('the least loan that reaches the share defaults', () => {
  // 1,500 of the 2,000 fit. The next one is the smaller of two.
  expect(chosen(20)).toEqual(['small', 'last', 'middle'])
  expect(chosen(1, [loan('only', 900)])).toEqual(['only'])
  expect(chosen(20, [])).toEqual([])
})

test('loans in default count first, and beyond the share', () => {
  const loans = [...LOANS.slice(0, 3), loan('lost', 500, true)]
  expect(chosen(0, loans)).toEqual(['lost'])
  expect(chosen(15, loans)).toEqual(['lost', 'small'])
})
