import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Cents, cents } from '../base/money.ts'
import {
  canBegin,
  dayCounts,
  daysBetween,
  dueDays,
  type LoanDay,
  loanDay,
  loanPeriods,
} from './loanDays.ts'
import {
  interestFor,
  isLastLarge,
  type ScheduleLine,
  scheduleKinds,
  scheduleOf,
  scheduleOver,
  type Terms,
} from './schedules.ts'
import { yearlyRateOf } from './yearlyRate.ts'

const day = (text: string): LoanDay => {
  const read = loanDay(text)
  if (!read) throw new Error(`${text} is no date`)
  return read
}

/** Lines as text: `principal+interest→balance`. */
const written = (lines: readonly ScheduleLine[]): string[] =>
  lines.map(({ principal, interest, balance }) =>
    [principal, '+', interest, '→', balance]
      .map((part) => (typeof part === 'string' ? part : dollars(part)))
      .join(''),
  )

const dollars = (amount: Cents): string =>
  `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`

const monthly = {
  kind: 'annuity',
  period: 'monthly',
  dayCount: '30e360',
} as const

describe('a schedule', () => {
  // apache/fineract, LoanMonthEndDueDateStrategy.feature, UC3.
  test('of equal payments counts months of 30 days', () => {
    const lines = scheduleOf({
      ...monthly,
      principal: cents(10_000_00n),
      rateBasisPoints: 1200,
      instalments: 3,
      disbursedOn: day('2025-01-31'),
      firstDueOn: day('2025-02-28'),
      dueDay: 31,
    })
    expect(lines.map(({ dueOn }) => dueOn)).toEqual(['2025-02-28', '2025-03-31', '2025-04-30'])
    expect(written(lines)).toEqual([
      '3300.22+100.00→6699.78',
      '3333.22+67.00→3366.56',
      '3366.56+33.67→0.00',
    ])
  })

  // apache/fineract, LoanMonthEndDueDateStrategy.feature, UC5.
  test('of equal payments counts the actual days', () => {
    const lines = scheduleOf({
      ...monthly,
      dayCount: 'act365',
      principal: cents(10_000_00n),
      rateBasisPoints: 1200,
      instalments: 3,
      disbursedOn: day('2025-01-31'),
      firstDueOn: day('2025-02-28'),
      dueDay: 31,
    })
    expect(written(lines)).toEqual([
      '3305.77+92.05→6694.23',
      '3329.59+68.23→3364.64',
      '3364.64+33.19→0.00',
    ])
  })

  // apache/fineract, LoanBulletBalloon.feature, BL01.
  test('of interest alone repays all at the end', () => {
    const lines = scheduleOf({
      ...monthly,
      kind: 'interestOnly',
      principal: cents(100_00n),
      rateBasisPoints: 3000,
      instalments: 8,
      disbursedOn: day('2024-01-01'),
      firstDueOn: day('2024-02-01'),
      dueDay: 1,
    })
    expect(written(lines)).toEqual([
      ...Array.from({ length: 7 }, () => '0.00+2.50→100.00'),
      '100.00+2.50→0.00',
    ])
  })

  // Apache Fineract counts the broken period of this loan as 17/31 of a month: 0.88, not 0.85.
  test('has less interest for a short first period', () => {
    const lines = scheduleOf({
      ...monthly,
      principal: cents(192_22n),
      rateBasisPoints: 999,
      instalments: 6,
      disbursedOn: day('2024-01-15'),
      firstDueOn: day('2024-02-01'),
      dueDay: 1,
    })
    expect(written(lines)).toEqual([
      '32.00+0.85→160.22',
      '31.52+1.33→128.70',
      '31.78+1.07→96.92',
      '32.04+0.81→64.88',
      '32.31+0.54→32.57',
      '32.57+0.27→0.00',
    ])
  })

  // apache/fineract, LoanScheduleGeneratorTest.java.
  test('of equal payments clears the rest at last', () => {
    const lines = scheduleOf({
      ...monthly,
      principal: cents(75_00n),
      rateBasisPoints: 999,
      instalments: 6,
      disbursedOn: day('2024-01-01'),
      firstDueOn: day('2024-02-01'),
      dueDay: 1,
    })
    expect(written(lines)).toEqual([
      '12.25+0.62→62.75',
      '12.35+0.52→50.40',
      '12.45+0.42→37.95',
      '12.55+0.32→25.40',
      '12.66+0.21→12.74',
      '12.74+0.11→0.00',
    ])
  })

  // A published payment of 88.24: 1,000 at 10 %, lent 44 actual days before 12 equal months.
  test('has more interest for a long first period', () => {
    const lines = scheduleOver(
      { kind: 'annuity', principal: cents(1_000_00n), rateBasisPoints: 1000 },
      Array.from({ length: 12 }, (_, index) => ({
        dueOn: '',
        ...(index === 0 ? { days: 44n, year: 365n } : { days: 1n, year: 12n }),
      })),
    )
    expect(written(lines)).toEqual([
      '76.19+12.05→923.81',
      '80.54+7.70→843.27',
      '81.21+7.03→762.06',
      '81.89+6.35→680.17',
      '82.57+5.67→597.60',
      '83.26+4.98→514.34',
      '83.95+4.29→430.39',
      '84.65+3.59→345.74',
      '85.36+2.88→260.38',
      '86.07+2.17→174.31',
      '86.79+1.45→87.52',
      '87.52+0.73→0.00',
    ])
  })

  // The second interest of these three years is the usual example of a spreadsheet's ISPMT.
  test('of equal parts divides an uneven principal', () => {
    const lines = scheduleOver(
      { kind: 'equalPrincipal', principal: cents(8_000_000_00n), rateBasisPoints: 1000 },
      Array.from({ length: 3 }, () => ({ dueOn: '', days: 1n, year: 1n })),
    )
    expect(written(lines)).toEqual([
      '2666666.67+800000.00→5333333.33',
      '2666666.67+533333.33→2666666.66',
      '2666666.66+266666.67→0.00',
    ])
  })

  // Worked by hand: a hundredth of 12,000, 11,000, … 1,000.
  test('of equal parts has less interest each month', () => {
    const lines = scheduleOf({
      ...monthly,
      kind: 'equalPrincipal',
      principal: cents(12_000_00n),
      rateBasisPoints: 1200,
      instalments: 12,
      disbursedOn: day('2025-05-31'),
      firstDueOn: day('2025-06-30'),
      dueDay: 31,
    })
    expect(lines.map(({ principal }) => principal)).toEqual(Array(12).fill(1_000_00n))
    expect(lines.map(({ interest }) => interest)).toEqual(
      Array.from({ length: 12 }, (_, index) => BigInt(12 - index) * 10_00n),
    )
  })

  test('charges a long first period before any principal', () => {
    const lines = scheduleOf({
      ...monthly,
      period: 'weekly',
      dayCount: 'act365',
      principal: cents(100_00n),
      rateBasisPoints: 10_000,
      instalments: 400,
      disbursedOn: day('2025-01-01'),
      firstDueOn: day('2026-01-01'),
      dueDay: 1,
    })
    expect(lines[0]).toMatchObject({ principal: 0n, interest: 100_00n, balance: 100_00n })
    expect(lines.at(-1)?.balance).toBe(0n)
  })
})

// Two published first periods. 82.20 was published for 12 days, which rounds the day before.
test.each([
  [45n, 308_22n],
  [12n, 82_19n],
])('interest of %i actual days is rounded once', (days, expected) => {
  expect(interestFor(cents(10_000_00n), 2500, { days, year: 365n })).toBe(expected)
})

describe('due days', () => {
  const from = (period: Terms['period'], firstDueOn: string, dueDay: number, instalments: number) =>
    dueDays({ period, firstDueOn: day(firstDueOn), dueDay, instalments })

  test.each([
    ['monthly', '2025-12-31', 31, ['2025-12-31', '2026-01-31', '2026-02-28', '2026-03-31']],
    ['monthly', '2024-01-30', 30, ['2024-01-30', '2024-02-29', '2024-03-30']],
    ['quarterly', '2025-11-30', 30, ['2025-11-30', '2026-02-28', '2026-05-30']],
    ['weekly', '2025-12-26', 26, ['2025-12-26', '2026-01-02', '2026-01-09']],
    ['halfMonthly', '2026-01-31', 31, ['2026-01-31', '2026-02-15', '2026-02-28', '2026-03-15']],
    ['halfMonthly', '2026-02-15', 31, ['2026-02-15', '2026-02-28', '2026-03-15', '2026-03-31']],
    ['halfMonthly', '2026-01-01', 1, ['2026-01-01', '2026-01-16', '2026-02-01']],
  ] as const)('that are %s from %s keep the day %i', (period, first, dueDay, expected) => {
    expect(from(period, first, dueDay, expected.length).map(({ on }) => on)).toEqual(expected)
  })

  test('are whole periods in a year of 360', () => {
    for (const [period, whole] of [
      ['monthly', 30n],
      ['quarterly', 90n],
      ['halfMonthly', 15n],
    ] as const)
      for (const dueDay of [1, 15, 16, 28, 29, 30, 31]) {
        const days = from(period, day(`2025-03-${String(dueDay).padStart(2, '0')}`).on, dueDay, 30)
        const spans = days
          .slice(1)
          .map((each, index) => daysBetween(days[index] as LoanDay, each, '30e360'))
        expect(new Set(spans)).toEqual(new Set([whole]))
      }
  })

  test('begin on a day that instalments are due on', () => {
    const begins = (period: Terms['period'], firstDueOn: string, dueDay: number) =>
      canBegin({ period, firstDueOn: day(firstDueOn), dueDay })
    expect(begins('monthly', '2026-02-28', 31)).toBe(true)
    expect(begins('monthly', '2026-03-28', 31)).toBe(false)
    expect(begins('halfMonthly', '2026-03-15', 30)).toBe(true)
    expect(begins('halfMonthly', '2026-03-14', 30)).toBe(false)
    expect(begins('weekly', '2026-03-14', 30)).toBe(true)
  })

  test.each(['', '2026-02-29', '2026-13-01', '2026-1-1', '0999-01-01', '2026-01-01T00:00Z'])(
    'are not read from %j',
    (text) => {
      expect(loanDay(text)).toBeNull()
    },
  )
})

test.each([
  ['equalPrincipal', 8_00n, 599, true],
  ['equalPrincipal', 8_00n, 12, false],
  ['equalPrincipal', 5_99n, 599, false],
  // Its payments are interest alone, rounded, and the last one has all principal.
  ['annuity', 8_00n, 599, true],
  ['annuity', 10_000_00n, 360, false],
  ['interestOnly', 8_00n, 599, false],
  ['equalPrincipal', 8_00n, 1, false],
] as const)(
  '%s of %i cents in %i parts ends large: %s',
  (kind, principal, instalments, isLarge) => {
    const lent = { kind, principal: cents(principal), rateBasisPoints: 1_200 }
    const spans = Array.from({ length: instalments }, () => ({ dueOn: '', days: 30n, year: 360n }))
    expect(isLastLarge(kind, scheduleOver(lent, spans))).toBe(isLarge)
  },
)

describe('any schedule', () => {
  const date = fc
    .integer({ min: 18_000, max: 30_000 })
    .map((number) => new Date(number * 86_400_000).toISOString().slice(0, 10))
  const anyTerms = fc
    .record({
      kind: fc.constantFrom(...scheduleKinds),
      period: fc.constantFrom(...loanPeriods),
      dayCount: fc.constantFrom(...dayCounts),
      principal: fc.bigInt({ min: 1n, max: 1_000_000_000n }).map(cents),
      rateBasisPoints: fc.integer({ min: 0, max: 30_000 }),
      instalments: fc.integer({ min: 1, max: 120 }),
      disbursedOn: date.map(day),
      daysToFirst: fc.integer({ min: 1, max: 366 }),
    })
    .map(({ daysToFirst, ...terms }): Terms => {
      const number = terms.disbursedOn.number + daysToFirst
      const firstDueOn = day(new Date(number * 86_400_000).toISOString().slice(0, 10))
      return { ...terms, firstDueOn, dueDay: Number(firstDueOn.on.slice(8)) }
    })

  test('repays the loan exactly and never less than nothing', () => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const lines = scheduleOf(terms)
        expect(lines).toHaveLength(terms.instalments)
        expect(lines.reduce((sum, { principal }) => sum + principal, 0n)).toBe(terms.principal)
        expect(lines.at(-1)?.balance).toBe(0n)
        for (const { principal, interest, balance } of lines)
          expect([principal, interest, balance].every((part) => part >= 0n)).toBe(true)
      }),
    )
  })

  test('charges interest on what is still owed', () => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const { rateBasisPoints, dayCount } = terms
        let [balance, from] = [terms.principal, terms.disbursedOn]
        const days = dueDays(terms)
        for (const [index, line] of scheduleOf(terms).entries()) {
          const to = days[index] as LoanDay
          expect(line.dueOn).toBe(to.on)
          const span = daysBetween(from, to, dayCount)
          const exact = Number(balance) * rateBasisPoints * Number(span)
          const year = 10_000 * (dayCount === 'act365' ? 365 : 360)
          expect(Math.abs(Number(line.interest) - exact / year)).toBeLessThanOrEqual(0.500_001)
          expect(line.balance).toBe(balance - line.principal)
          ;[balance, from] = [line.balance, to]
        }
      }),
    )
  })

  test('of equal payments has them but for the last', () => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const lines = scheduleOf({ ...terms, kind: 'annuity' })
        const payments = lines
          .slice(0, -1)
          .flatMap(({ principal, interest, balance }) =>
            principal > 0n && balance > 0n ? [principal + interest] : [],
          )
        expect(new Set(payments).size).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('the yearly rate', () => {
  const rateOf = (terms: Partial<Terms>) => {
    const whole: Terms = {
      ...monthly,
      principal: cents(100_000_00n),
      rateBasisPoints: 1200,
      instalments: 12,
      disbursedOn: day('2025-01-01'),
      firstDueOn: day('2025-02-01'),
      dueDay: 1,
      ...terms,
    }
    return yearlyRateOf(whole, scheduleOf(whole))
  }

  test('of a monthly rate compounds it', () => {
    // 1.01 ** 12 is 1.1268.
    expect(rateOf({})).toBe(1268)
    expect(rateOf({ kind: 'interestOnly' })).toBe(1268)
    expect(rateOf({ kind: 'equalPrincipal' })).toBe(1268)
    // 1.03 ** 4 is 1.1255.
    expect(rateOf({ period: 'quarterly', firstDueOn: day('2025-04-01') })).toBe(1255)
  })

  test('of a single payment is that of its days', () => {
    const single = { instalments: 1, dayCount: 'act365', disbursedOn: day('2025-01-01') } as const
    // (1 + 0.12 * 73 / 365) ** (365 / 73) is 1.1259.
    expect(rateOf({ ...single, firstDueOn: day('2025-03-15'), dueDay: 15 })).toBe(1259)
    expect(rateOf({ rateBasisPoints: 0 })).toBe(0)
  })
})
