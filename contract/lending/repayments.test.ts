import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Cents, cents } from '../base/money.ts'
import { type LoanDay, loanDay } from './loanDays.ts'
import { mostPayable, type Owed, payoffOf, splitOf } from './repayments.ts'
import { scheduleOf } from './schedules.ts'

const part = fc.bigInt({ min: 0n, max: 500n }).map(cents)
const owed = fc
  .array(fc.record({ principal: part, interest: part }), { maxLength: 12 })
  .map((parts): Owed[] =>
    parts.map((each, index) => ({
      ...each,
      number: index + 1,
      dueOn: `2026-${String(index + 1).padStart(2, '0')}-15`,
    })),
  )
const sum = (all: readonly Owed[]) =>
  all.reduce((total, { principal, interest }) => total + principal + interest, 0n)

test('a split gives each cent to the oldest debt', () => {
  fc.assert(
    fc.property(owed, fc.bigInt({ min: 0n, max: 15_000n }), (all, amount) => {
      const { principal, interest, parts } = splitOf(all, cents(amount))
      const total = sum(all)
      expect(principal + interest).toBe(amount < total ? amount : total)
      const paid = new Map(parts.map((each) => [each.number, each]))
      let isOver = false
      for (const { number, ...due } of all) {
        const { principal = 0n, interest = 0n } = paid.get(number) ?? {}
        if (isOver) expect(principal + interest).toBe(0n)
        // Principal is paid once the interest of its instalment is.
        if (interest < due.interest) expect(principal).toBe(0n)
        isOver ||= interest < due.interest || principal < due.principal
      }
    }),
  )
})

test('repayments in any order end where one does', () => {
  fc.assert(
    fc.property(owed, fc.array(fc.bigInt({ min: 1n, max: 900n })), (all, amounts) => {
      const pay = (left: readonly Owed[], amount: bigint): Owed[] => {
        const parts = new Map(splitOf(left, cents(amount)).parts.map((each) => [each.number, each]))
        const less = (due: Cents, paid = 0n) => cents(due - paid)
        return left.map((each) => ({
          ...each,
          principal: less(each.principal, parts.get(each.number)?.principal),
          interest: less(each.interest, parts.get(each.number)?.interest),
        }))
      }
      const total = amounts.reduce((all, each) => all + each, 0n)
      expect(amounts.reduce(pay, all)).toEqual(pay(all, total))
    }),
  )
})

test('what may be paid ends with the next instalment', () => {
  const line = (number: number, dueOn: string, principal: bigint, interest: bigint): Owed => ({
    number,
    dueOn,
    principal: cents(principal),
    interest: cents(interest),
  })
  const all = [
    line(1, '2026-01-15', 0n, 0n),
    line(2, '2026-02-15', 50n, 5n),
    line(3, '2026-03-15', 100n, 4n),
    line(4, '2026-04-15', 100n, 2n),
  ]
  const most = (valueOn: string, today = valueOn) => mostPayable(all, valueOn, today)
  // The next one is paid, so nothing is taken for a later period.
  expect(most('2026-01-14')).toBe(0n)
  expect(most('2026-01-20')).toBe(55n)
  expect(most('2026-02-14')).toBe(55n)
  expect(most('2026-02-15')).toBe(159n)
  expect(most('2026-12-31')).toBe(261n)
  // Recorded after later ones, which paid the first instalment.
  expect(most('2026-01-14', '2026-12-31')).toBe(55n)
  expect(mostPayable([], '2026-12-31', '2026-12-31')).toBe(0n)
})

test('a payment in full grows by the day', () => {
  const terms = {
    kind: 'annuity',
    principal: cents(10_000_00n),
    rateBasisPoints: 1_200,
    period: 'monthly',
    dayCount: 'act365',
    instalments: 12,
    dueDay: 1,
  } as const
  const day = (text: string) => loanDay(text) as LoanDay
  const lines = scheduleOf({
    ...terms,
    disbursedOn: day('2026-01-10'),
    firstDueOn: day('2026-02-01'),
  })
  const all = lines.map(
    ({ dueOn, principal, interest }, index): Owed => ({
      number: index + 1,
      dueOn,
      principal,
      interest,
      interestPaid: cents(0n),
    }),
  )
  const accruing = { from: '2026-01-10', rateBasisPoints: 1_200, dayCount: 'act365' } as const
  let last = 0n
  for (let number = 0; number < 400; number += 1) {
    const on = new Date(Date.UTC(2026, 0, 10 + number)).toISOString().slice(0, 10)
    const { principal, interest } = payoffOf(all, on, accruing)
    expect(principal).toBe(10_000_00n)
    expect(interest).toBeGreaterThanOrEqual(last)
    expect(interest).toBeLessThanOrEqual(lines.reduce((sum, each) => sum + each.interest, 0n))
    // On a due day it is what the lines up to it have.
    const due = lines.filter(({ dueOn }) => dueOn <= on)
    const [before] = lines.filter(({ dueOn }) => dueOn > on)
    const sum = due.reduce((total, each) => total + each.interest, 0n)
    if (due.at(-1)?.dueOn === on) expect(interest).toBe(sum)
    else expect(interest - sum).toBeLessThanOrEqual(before?.interest ?? 0n)
    last = interest
  }
})
