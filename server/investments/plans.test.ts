import { invest, listInvestments } from '@pool/contract/investments'
import { validation } from '@pool/contract/messages'
import { cents } from '@pool/contract/money'
import { expect, test } from 'vitest'
import { expectWhole } from '../testing/decisions.ts'
import { balanceOf, investorWith, type Person, person, testProduct } from '../testing/product.ts'
import { openInvestment } from './openInvestment.ts'
import { payMaturities } from './payMaturities.ts'

const product = testProduct(
  {},
  {
    plans: [
      { durationDays: 1, rateBasisPoints: 400 },
      { durationDays: 12, rateBasisPoints: 700 },
      { durationDays: 90, rateBasisPoints: 1_250 },
    ],
  },
)

const ask = ({ id: userId, token }: Person, durationDays: number) =>
  product.call(invest, { token, payload: { userId, amount: 100, durationDays } })

test('a plan that the product was given is invested in', async () => {
  const investor = await investorWith(product, 200)
  expect(await ask(investor, 90)).toMatchObject({
    status: 200,
    body: { amount: 100, interest: 12.5, durationDays: 90, status: 'ACTIVE' },
  })
  const { id: userId, token } = investor
  expect(await product.call(listInvestments, { token, params: { userId } })).toMatchObject({
    body: [{ amount: 100, interest: 12.5, durationDays: 90, rateBasisPoints: 1_250 }],
  })
})

test('a given plan pays its interest at maturity', async () => {
  const { context } = product
  const investor = await investorWith(product, 200)
  await openInvestment(
    { ...context, config: { ...context.config, daySeconds: 0 } },
    { by: { id: investor.id, from: 'tests' }, amount: cents(100_00n), durationDays: 90 },
  )
  await payMaturities(context)
  expect(await balanceOf(product, investor)).toBe(212.5)
  await expectWhole(product)
})

test('a default plan that is not on offer is refused', async () => {
  const investor = await investorWith(product, 200)
  expect(await ask(investor, 5)).toMatchObject({
    status: 400,
    narration: validation.durationInvalid,
    body: { code: 'validation', field: 'durationDays' },
  })
  expect(await balanceOf(product, investor)).toBe(200)
})

test("a stranger's investment is refused before its duration", async () => {
  const [investor, stranger] = [await investorWith(product, 200), await person(product)]
  expect(await ask({ ...investor, token: stranger.token }, 5)).toMatchObject({ status: 403 })
})
