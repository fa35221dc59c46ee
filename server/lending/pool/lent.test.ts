import { cents } from '@pool/contract/base/money'
import { readStress } from '@pool/contract/lending/stress'
import { beforeAll, expect, test } from 'vitest'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { openDesk } from '../../testing/loanDesk.ts'
import { investorWith, type Person, person, testProduct } from '../../testing/product.ts'
import { countFigures, readPoolBook } from './figures.ts'

const product = testProduct(
  { LOAN_CONCENTRATION: '100', LEND_PRINCIPAL: 'true' },
  { reserve: cents(1_000_00n) },
)
let supers: readonly [Person, Person]
let desk: ReturnType<typeof openDesk>
beforeAll(async () => {
  supers = [await person(product, ['SUPER_ADMIN']), await person(product, ['SUPER_ADMIN'])]
  desk = openDesk(product, await person(product, ['ADMIN']), await person(product, ['ADMIN']))
})

const counted = async () => {
  await countFigures(product.context)
  const figures = await readPoolBook(product.context.db)
  if (!figures) throw new Error('there are no figures')
  return figures
}

test('lent principal and its loss are told apart', async () => {
  const investor = await investorWith(product, 10_000)
  const id = await desk.active({ amount: 900, fromInvestors: 900 })
  await openInvestment(product.context, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(10_000_00n),
    durationDays: 12,
  })
  const lent = await counted()
  expect(lent.book.outstanding).toBe(900)
  expect(lent.reserve).toMatchObject({ free: 300, committed: 700, deployed: 0, lent: 900 })
  // The investor's 10,000 and the capital of 1,000, without what was lent.
  expect(lent.liquidity.coins).toBe(10_100)
  const stress = await product.call(readStress, {
    token: supers[0].token,
    query: { percent: '50' },
  })
  expect(stress.body).toMatchObject({
    percent: 50,
    outstanding: 900,
    loss: 450,
    lent: 900,
    covered: 300,
    lost: 150,
    share: 150,
    lostFrom: 34,
  })
  for (const percent of ['-1', '101', '1.5', 'x'])
    expect(
      (await product.call(readStress, { token: supers[0].token, query: { percent } })).status,
    ).toBe(400)

  const { body } = await desk.askDefault(id)
  await desk.agree(body.proposalId)
  const { body: asked } = await desk.askWriteOff(id, supers[0], 900)
  expect((await desk.agreeAsSuper(asked.proposalId, supers[1])).status).toBe(200)
  const lost = await counted()
  expect(lost.reserve).toMatchObject({ free: 0, lent: 0, openLoss: 600 })
  expect([lost.liquidity.coins, lost.month.writtenOff]).toEqual([10_100, 900])
})
