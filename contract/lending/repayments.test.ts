import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Cents, cents } from '../base/money.ts'
import {
  dayAs,
  dayCounts,
  daysBetween,
  daysOfYear,
  dueDays,
  type LoanDay,
  loanDay,
  loanPeriods,
} from './loanDays.ts'
import {
  type Accruing,
  mostPayable,
  type Owed,
  owedOfLine,
  payoffOf,
  splitOf,
  startAs,
  stopOn,
} from './repayments.ts'
import {
  interestFor,
  type ScheduleLine,
  scheduleKinds,
  scheduleOf,
  type Terms,
} from './schedules.ts'

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

const day = (text: string) => loanDay(text) as LoanDay
const isoOf = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10)

type InForce = Pick<Terms, 'rateBasisPoints' | 'dayCount' | 'period' | 'dueDay' | 'disbursedOn'>
const accruingOf = ({ disbursedOn, ...terms }: InForce): Accruing => ({
  ...terms,
  from: disbursedOn.on,
  fromAs: null,
})

/** The lines of a schedule, the first ones paid. */
const owedLines = (lines: readonly ScheduleLine[], paid = 0): Owed[] =>
  lines.map(({ dueOn, principal, interest }, index) => ({
    number: index + 1,
    dueOn,
    principal: index < paid ? cents(0n) : principal,
    interest: index < paid ? cents(0n) : interest,
    interestPaid: index < paid ? interest : cents(0n),
  }))

const anyTerms = fc
  .record({
    kind: fc.constantFrom(...scheduleKinds),
    period: fc.constantFrom(...loanPeriods),
    dayCount: fc.constantFrom(...dayCounts),
    principal: fc.bigInt({ min: 100n, max: 100_000_000n }).map(cents),
    rateBasisPoints: fc.integer({ min: 0, max: 10_000 }),
    instalments: fc.integer({ min: 2, max: 30 }),
    number: fc.integer({ min: 18_000, max: 22_000 }),
    daysToFirst: fc.integer({ min: 1, max: 100 }),
    // Most days that short months do not have.
    isAtEnd: fc.boolean(),
  })
  .map(({ number, daysToFirst, isAtEnd, ...terms }): Terms => {
    const early = day(isoOf(number + daysToFirst))
    const dueDay = isAtEnd ? 29 + (number % 3) : Number(early.on.slice(8))
    const firstDueOn = dayAs(early.on, dueDay) as LoanDay
    const disbursedOn = day(isoOf(Math.min(number, firstDueOn.number - 1)))
    return { ...terms, dueDay, firstDueOn, disbursedOn }
  })

test('a loan owes on a due day as its line', () => {
  fc.assert(
    fc.property(anyTerms, fc.nat(), (terms, chosen) => {
      const lines = scheduleOf(terms)
      const days = dueDays(terms)
      const paid = chosen % lines.length
      const line = lines[paid] as ScheduleLine
      const since = days[paid - 1] ?? terms.disbursedOn
      const until = days[paid] as LoanDay
      const balance = cents(line.principal + line.balance)
      const owed = owedLines(lines, paid)
      for (let number = since.number; number <= until.number; number += 1) {
        const on = number === until.number ? until : day(isoOf(number))
        // The schedule's own count of days, from the day that its line stands for.
        const count = daysBetween(since, on, terms.dayCount)
        const span = { days: count > 0n ? count : 0n, year: daysOfYear[terms.dayCount] }
        const whole = payoffOf(owed, on.on, accruingOf(terms))
        const exact = interestFor(balance, terms.rateBasisPoints, span)
        expect(whole.interest).toBe(exact < line.interest ? exact : line.interest)
        expect(whole.principal).toBe(balance)
      }
      expect(payoffOf(owed, until.on, accruingOf(terms)).interest).toBe(line.interest)
    }),
  )
})

test('the same terms anew cost the same interest', () => {
  fc.assert(
    fc.property(anyTerms, fc.nat(), fc.nat(), (drawn, chosen, later) => {
      const terms = { ...drawn, kind: 'interestOnly' } as const
      const lines = scheduleOf(terms)
      const days = dueDays(terms)
      const paid = chosen % lines.length
      const line = lines[paid] as ScheduleLine
      const [since, until] = [days[paid - 1] ?? terms.disbursedOn, days[paid] as LoanDay]
      const on = isoOf(since.number + (later % (until.number - since.number)))
      const owed = owedLines(lines, paid)
      const { interest } = payoffOf(owed, on, accruingOf(terms))
      const start = dayAs(on, startAs(owed, on, accruingOf(terms))) as LoanDay
      const [first] = scheduleOf({
        ...terms,
        disbursedOn: start,
        firstDueOn: until,
        instalments: 1,
      })
      const together = interest + (first?.interest ?? 0n)
      // Each part is rounded.
      expect(together - line.interest).toBeGreaterThanOrEqual(-1n)
      expect(together - line.interest).toBeLessThanOrEqual(1n)
    }),
  )
})

test('a default owes as much as a payment in full', () => {
  fc.assert(
    fc.property(anyTerms, fc.nat(), fc.nat(), fc.nat(), (terms, chosen, later, part) => {
      const days = dueDays(terms)
      const span = (days.at(-1)?.number ?? 0) + 30 - terms.disbursedOn.number
      const on = isoOf(terms.disbursedOn.number + (later % span))
      const accruing = accruingOf(terms)
      const paid = chosen % terms.instalments
      const lines = scheduleOf(terms).map((line, index) => ({
        ...line,
        number: index + 1,
        principalPaid: index < paid ? line.principal : 0n,
        // A part of the interest of the next line.
        interestPaid:
          index < paid ? line.interest : index > paid ? 0n : line.interest % BigInt(part + 1),
      }))
      const before = lines.map((line) => owedOfLine(line, undefined))
      const whole = payoffOf(before, on, accruing)
      const stopped = stopOn(before, on, accruing)
      const after = lines.map((line) => owedOfLine(line, stopped))
      // The same on that day and on each later one.
      for (const day of [on, isoOf(terms.disbursedOn.number + span), '2999-12-31'])
        expect(payoffOf(after, day, { ...accruing, stopped })).toEqual(whole)
      expect(mostPayable(after, '9999-12-31', '9999-12-31')).toBe(whole.principal + whole.interest)
      const half = splitOf(after, cents((whole.principal + whole.interest) / 2n))
      const rest = splitOf(after, cents(whole.principal + whole.interest))
      expect(half.interest).toBeLessThanOrEqual(rest.interest)
      expect([rest.principal, rest.interest]).toEqual([whole.principal, whole.interest])
    }),
  )
})

describe('after a short month', () => {
  const lent = {
    kind: 'interestOnly',
    principal: cents(10_000_00n),
    rateBasisPoints: 1_200,
    dayCount: '30e360',
    instalments: 6,
  } as const
  const of = (period: Terms['period'], dueDay: number, from: string, first: string): Terms => ({
    ...lent,
    period,
    dueDay,
    disbursedOn: day(from),
    firstDueOn: day(first),
  })
  // Interest in cents: 10,000 at 12 % earns 3.3333 a day.
  test.each([
    ['monthly', 31, '2025-01-31', '2025-02-28', '2025-03-10', 33_33n],
    ['monthly', 30, '2025-01-30', '2025-02-28', '2025-03-10', 33_33n],
    ['monthly', 29, '2025-01-29', '2025-02-28', '2025-03-10', 36_67n],
    ['monthly', 28, '2025-01-28', '2025-02-28', '2025-03-10', 40_00n],
    ['monthly', 31, '2024-01-31', '2024-02-29', '2024-03-10', 33_33n],
    ['halfMonthly', 31, '2025-02-15', '2025-02-28', '2025-03-10', 33_33n],
    ['quarterly', 31, '2024-11-30', '2025-02-28', '2025-03-10', 33_33n],
    ['weekly', 28, '2025-02-21', '2025-02-28', '2025-03-06', 26_67n],
    ['monthly', 31, '2025-01-31', '2025-02-28', '2025-03-01', 3_33n],
    ['monthly', 31, '2025-01-31', '2025-02-28', '2025-03-31', 100_00n],
  ] as const)('%s loans due on the %i earn by the day', (period, dueDay, from, first, on, cost) => {
    const terms = of(period, dueDay, from, first)
    const whole = payoffOf(owedLines(scheduleOf(terms), 1), on, accruingOf(terms))
    expect([whole.principal, whole.interest]).toEqual([10_000_00n, cost])
  })

  test('new terms of a due day count as it does', () => {
    const terms = of('monthly', 31, '2025-01-31', '2025-02-28')
    const owed = owedLines(scheduleOf(terms), 1)
    const start = startAs(owed, '2025-02-28', accruingOf(terms))
    expect(start).toBe(31)
    const anew = { ...terms, disbursedOn: dayAs('2025-02-28', start) as LoanDay }
    const anewLines = scheduleOf({ ...anew, firstDueOn: day('2025-03-31') })
    expect(anewLines[0]?.interest).toBe(100_00n)
    // The pay-off under the new terms counts from there too, and the terms of the same day again.
    const accruing = { ...accruingOf(anew), fromAs: start }
    const lines = owedLines(anewLines)
    expect(payoffOf(lines, '2025-03-10', accruing).interest).toBe(33_33n)
    expect(startAs(lines, '2025-02-28', accruing)).toBe(31)
    expect(startAs(lines, '2025-03-10', accruing)).toBeNull()
  })
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
  const lines = scheduleOf({
    ...terms,
    disbursedOn: day('2026-01-10'),
    firstDueOn: day('2026-02-01'),
  })
  const all = owedLines(lines)
  const accruing = accruingOf({ ...terms, disbursedOn: day('2026-01-10') })
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
