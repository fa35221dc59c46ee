import { expect, test } from 'vitest'
import { dueBy, owedOf } from './owed.ts'

const line = { number: 1, dueOn: '2026-01-08', principal: 100, interest: 2.76, balance: 1_100 }

test('a line owes what is not paid of each part', () => {
  const unpaid = owedOf({ ...line, paid: 0, interestPaid: 0 })
  expect(unpaid).toMatchObject({ principal: 10_000n, interest: 276n })
  const partly = owedOf({ ...line, paid: 50, interestPaid: 2.76 })
  expect(partly).toMatchObject({ principal: 5_276n, interest: 0n })
})

test('a reversal can leave interest owed beside paid principal', () => {
  const odd = owedOf({ ...line, paid: 50, interestPaid: 0 })
  expect(odd).toMatchObject({ principal: 5_000n, interest: 276n })
})

test('only lines due by the day are due', () => {
  const owed = [line, { ...line, number: 2, dueOn: '2026-01-15' }].map((each) =>
    owedOf({ ...each, paid: 0, interestPaid: 0 }),
  )
  expect([dueBy(owed, '2026-01-07'), dueBy(owed, '2026-01-14')]).toEqual([0n, 10_276n])
})
