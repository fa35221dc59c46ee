import { cents } from '@pool/contract/money'
import { defaultPlans } from '@pool/contract/plans'
import { beforeAll, expect, test } from 'vitest'
import { openInvestment } from '../investments/openInvestment.ts'
import { openDesk } from '../testing/loanDesk.ts'
import { fund, type Person, person, testProduct } from '../testing/product.ts'
import { STRESS_DAYS, stressOf } from './stress.ts'

const product = testProduct({ LOAN_CONCENTRATION: '100' }, { reserve: cents(20_000_00n) })
let desk: ReturnType<typeof openDesk>
let investor: Person
beforeAll(async () => {
  desk = openDesk(product, await person(product, ['ADMIN']), await person(product, ['ADMIN']))
  investor = await person(product)
})

test('a default takes the capital and no promise', async () => {
  await fund(product, investor, cents(1_000_00n))
  await openInvestment(product.context, {
    ...{ by: { id: investor.id, from: 'tests' }, amount: cents(500_00n), durationDays: 5 },
  })
  const id = await desk.active()
  const { lines } = await desk.storyOf(id)
  const { db } = product.context
  const { days, ...found } = await stressOf(db, { percent: 20, plans: defaultPlans })
  // 5 % of 500 are committed, and 1,200 are lent.
  expect(found).toEqual({
    ...{ outstanding: 1_200_00n, loss: 240_00n, reserve: 18_775_00n, committed: 25_00n },
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
