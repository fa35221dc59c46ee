import { cents } from '@pool/contract/base/money'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { runwayOf } from '../../ledger/families/runway.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { openDesk } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
import { fund, type Person, person, testProduct } from '../../testing/product.ts'
import { countFigures, readPoolBook } from './figures.ts'
import { coveredByIncome } from './interest.ts'

const flow = fc.record({
  promised: fc.bigInt({ min: 0n, max: 1_000_00n }),
  income: fc.bigInt({ min: -500_00n, max: 1_000_00n }),
})
const total = (all: readonly bigint[]) => all.reduce((sum, each) => sum + each, 0n)

describe('interest that borrowers cover', () => {
  test.each([
    ['no income', [100n, 200n], [0n, 0n], [0n, 0n]],
    ['income below the promises', [100n, 200n], [9n, 18n], [9n, 18n]],
    ['income left over serves later months', [100n, 100n, 50n], [10n, 250n, 0n], [10n, 100n, 50n]],
    ['no month before it', [100n, 0n], [0n, 100n], [0n, 0n]],
    ['a reversal takes income back', [100n, 100n], [150n, -30n], [100n, 20n]],
  ] as const)('%s', (_, promised, income, covered) => {
    const months = promised.map((each, place) => ({ promised: each, income: income[place] ?? 0n }))
    expect(coveredByIncome(months)).toEqual(covered)
  })

  test('is within promises and received income', () => {
    fc.assert(
      fc.property(fc.array(flow, { maxLength: 24 }), (months) => {
        const covered = coveredByIncome(months)
        months.forEach(({ promised }, place) => {
          const each = covered[place] ?? -1n
          expect(each >= 0n && each <= promised).toBe(true)
        })
        const received = total(months.map(({ income }) => (income > 0n ? income : 0n)))
        expect(total(covered) <= received).toBe(true)
      }),
    )
  })

  test('is all income while each promise is larger', () => {
    const larger = flow.map(({ promised, income }) => {
      const paid = income > 0n ? income : -income
      return { promised: promised + paid, income: paid }
    })
    fc.assert(
      fc.property(fc.array(larger, { maxLength: 24 }), (months) => {
        expect(total(coveredByIncome(months))).toBe(total(months.map(({ income }) => income)))
      }),
    )
  })
})

describe('the runway', () => {
  test.each([
    ['the free reserve over the daily pace', 6_200_00n, { interest: 1_000_00n, days: 30 }, 186],
    ['a started day is not whole', 99n, { interest: 30n, days: 30 }, 99],
    ['a young pool has its own days', 100n, { interest: 50n, days: 2 }, 4],
    ['an empty reserve lasts no day', 0n, { interest: 1n, days: 30 }, 0],
    ['no new interest has no end', 100n, { interest: 0n, days: 30 }, null],
    ['a hundred years at most', 10n ** 12n, { interest: 1n, days: 30 }, 36_500],
  ] as const)('%s', (_, free, pace, days) => {
    expect(runwayOf(free, pace)).toBe(days)
  })

  test('covers its days, and not one more', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 9n })
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 30 }), (free, interest, days) => {
        const lasts = runwayOf(free, { interest, days })
        if (lasts === null || lasts === 36_500) return
        expect(BigInt(lasts) * interest <= free * BigInt(days)).toBe(true)
        expect(BigInt(lasts + 1) * interest > free * BigInt(days)).toBe(true)
      }),
    )
  })
})

describe('the figures', () => {
  const product = testProduct({ LOAN_CONCENTRATION: '100' }, { reserve: cents(10_000_00n) })
  let investor: Person
  let desk: ReturnType<typeof openDesk>
  beforeAll(async () => {
    investor = await person(product)
    desk = openDesk(product, await person(product, ['ADMIN']), await person(product, ['ADMIN']))
  })
  const interest = async () => {
    await countFigures(product.context)
    const figures = await readPoolBook(product.context.db)
    if (!figures) throw new Error('there are no figures')
    return figures.interest
  }

  test('an empty pool promised nothing', async () => {
    expect(await interest()).toEqual({
      promised: 0,
      paid: 0,
      fromBorrowers: 0,
      pace: { days: 30, promised: 0 },
      runwayDays: null,
      covered90: null,
      planRate: null,
      months: [],
    })
  })

  test('promises rest on the operator until borrowers pay', async () => {
    await fund(product, investor, cents(1_000_00n))
    const open = (amount: bigint, durationDays: number) =>
      openInvestment(product.context, {
        by: { id: investor.id, from: 'tests' },
        amount: cents(amount),
        durationDays,
      })
    await open(300_00n, 5)
    await open(300_00n, 12)
    const before = await interest()
    // 5 % and 7 % of $300.00. Together 36.00 of 10,000.00 in one day.
    expect(before).toMatchObject({
      promised: 36,
      paid: 0,
      fromBorrowers: 0,
      pace: { days: 1, promised: 36 },
      runwayDays: Math.floor((10_000 - 36) / 36),
      covered90: 0,
      // 5 % × 365 ÷ 5 and 7 % × 365 ÷ 12, of equal principals.
      planRate: 28_896,
    })
    const id = await desk.active(
      { disburseOn: dayFrom(-98), firstDueOn: dayFrom(-91) },
      {},
      { disbursedOn: dayFrom(-98) },
    )
    await desk.repay(id, { amount: 50 })
    const after = await interest()
    // 2.76 of the 50.00 are interest (docs/loans.md, 3).
    expect(after).toMatchObject({ promised: 36, fromBorrowers: 2.76, covered90: 767 })
    expect(after.months).toEqual([
      expect.objectContaining({ promised: 36, income: 2.76, fromBorrowers: 2.76 }),
    ])
    const { repayments } = await desk.storyOf(id)
    expect((await desk.reverse(repayments.at(-1)?.id ?? '')).status).toBe(200)
    expect(await interest()).toMatchObject({ fromBorrowers: 0, covered90: 0 })
  })

  test('months without flows are told, and add up', async () => {
    await product.database.superuser.query(`
      INSERT INTO tallies (noun, day, kind, status, slot, rows, cents, interest)
      VALUES ('investments', (date_trunc('month', now() AT TIME ZONE 'UTC') - interval '70 days')::date, '5', 'COMPLETED', 0, 1, 100000, 5000)`)
    const { months, promised, fromBorrowers, pace } = await interest()
    expect(months.length).toBeGreaterThanOrEqual(3)
    const sum = (name: 'promised' | 'fromBorrowers') =>
      Math.round(months.reduce((all, each) => all + each[name] * 100, 0)) / 100
    expect([sum('promised'), sum('fromBorrowers')]).toEqual([promised, fromBorrowers])
    expect(pace).toEqual({ days: 30, promised: 36 })
  })
})
