import { cents } from '@pool/contract/base/money'
import { defaultPlans } from '@pool/contract/money/plans'
import { beforeAll, expect, test } from 'vitest'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { openDesk } from '../../testing/loanDesk.ts'
import { fund, type Person, person, testProduct } from '../../testing/product.ts'
import { lostFromOf, STRESS_DAYS, shareOf, stressOf } from './stress.ts'

const product = testProduct(
  { LOAN_CONCENTRATION: '100', LEND_PRINCIPAL: 'true' },
  { reserve: cents(20_000_00n) },
)
let desk: ReturnType<typeof openDesk>
let investor: Person
beforeAll(async () => {
  desk = openDesk(product, await person(product, ['ADMIN']), await person(product, ['ADMIN']))
  investor = await person(product)
})

test('a default takes the capital and no promise', async () => {
  await fund(product, investor, cents(1_000_00n))
  await openInvestment(product.context, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(500_00n),
    durationDays: 5,
  })
  const id = await desk.active()
  const { lines } = await desk.storyOf(id)
  const { db } = product.context
  const { days, ...found } = await stressOf(db, { percent: 20, plans: defaultPlans })
  // 5 % of 500 are committed, and 1,200 are lent.
  expect(found).toEqual({
    lent: 0n,
    covered: 0n,
    lost: 0n,
    share: 0n,
    lostFrom: null,
    outstanding: 1_200_00n,
    loss: 240_00n,
    reserve: 18_775_00n,
    committed: 25_00n,
    capital: 19_735_00n,
    open: [
      { plan: defaultPlans[0], principal: 469_375_00n },
      { plan: defaultPlans[1], principal: 375_500_00n },
      { plan: defaultPlans[2], principal: 268_214_28n },
    ],
  })
  expect(days.map(({ day }) => day)).toEqual(
    Array.from({ length: STRESS_DAYS + 1 }, (_, day) => day),
  )
  // Coins: 1,000 of the investor, and the capital without the loan.
  expect(days[0]).toEqual({ day: 0, coins: 19_800_00n, received: 0n, owed: 500_00n })
  expect([days[4]?.owed, days[5]?.owed]).toEqual([500_00n, 1_025_00n])
  // Those due from today on, four fifths of them.
  const sum = lines
    .slice(4)
    .reduce((all, each) => all + Math.round((each.principal + each.interest) * 100), 0)
  expect(days.at(-1)?.received).toBe(BigInt(Math.floor((sum * 80) / 100)))
  expect(days[5]?.received).toBeGreaterThan(0n)
  const none = await stressOf(db, { percent: 0, plans: defaultPlans })
  expect(none).toMatchObject({ loss: 0n, capital: 19_975_00n })
})

test('lent principal is safe as far as the reserve reaches', async () => {
  const { db } = product.context
  const before = await stressOf(db, { percent: 0, plans: defaultPlans })
  await fund(product, investor, cents(40_000_00n))
  const id = await desk.active({ amount: 12_000, fromInvestors: 9_000 })
  // Nearly all of the reserve is promised.
  await openInvestment(product.context, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(40_000_00n),
    durationDays: 12,
  })
  const of = async (percent: number) => stressOf(db, { percent, plans: defaultPlans })
  // 18,775 were free. 3,000 are lent of them, and 2,800 promised.
  expect(await of(100)).toMatchObject({
    lent: 9_000_00n,
    covered: 9_000_00n,
    lost: 0n,
    share: 0n,
    lostFrom: null,
    reserve: before.reserve - 5_800_00n,
    outstanding: before.outstanding + 12_000_00n,
  })
  await desk.giveBack([id])
  expect(await of(100)).toMatchObject({ lent: 0n, covered: 0n })
})

test('beyond the reserve the stress names the share of each', () => {
  expect(shareOf({ lost: 600_00n, invested: 10_000_00n })).toBe(600n)
  expect(shareOf({ lost: 1n, invested: 10_000_00n })).toBe(1n)
  expect(shareOf({ lost: 0n, invested: 0n })).toBe(0n)
  expect(lostFromOf({ reserve: 300_00n, lent: 900_00n })).toBe(34)
  expect(lostFromOf({ reserve: 450_00n, lent: 900_00n })).toBe(51)
  expect(lostFromOf({ reserve: 0n, lent: 900_00n })).toBe(1)
  expect(lostFromOf({ reserve: 900_00n, lent: 900_00n })).toBeNull()
})
