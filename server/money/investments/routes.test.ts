import { cents } from '@pool/contract/base/money'
import * as validation from '@pool/contract/base/validation'
import { invest, listAllInvestments, listInvestments } from '@pool/contract/money/investments'
import { listTransactions } from '@pool/contract/requests/transactions'
import { expect, test } from 'vitest'
import { balanceOf, investorWith, type Person, person, testProduct } from '../../testing/product.ts'
import { openInvestment } from './openInvestment.ts'

const product = testProduct()

const ask = (investor: Person, amount: unknown, durationDays: unknown) =>
  product.call(invest, {
    token: investor.token,
    payload: { userId: investor.id, amount, durationDays },
  })
const listOf = async ({ id, token }: Person) =>
  (await product.call(listInvestments, { token, params: { userId: id } })).body

test.each([
  [100, 1, 4],
  [100, 5, 5],
  [100, 12, 7],
  [0.25, 1, 0.01],
  [0.49, 1, 0.01],
  [0.2, 5, 0.01],
  [0.15, 12, 0.01],
  [33.35, 12, 2.33],
])('$%s for %s days earns $%s', async (amount, durationDays, interest) => {
  const investor = await investorWith(product, 200)
  const opened = Date.now()
  const answer = await ask(investor, amount, durationDays)
  expect(answer).toMatchObject({
    status: 200,
    body: { amount, interest, returnAmount: interest, durationDays, status: 'ACTIVE' },
  })
  expect(await balanceOf(product, investor)).toBeCloseTo(200 - amount, 2)

  const [investment] = await listOf(investor)
  expect(investment).toMatchObject({
    amount,
    interest,
    status: 'ACTIVE',
    userId: investor.id,
    userEmail: investor.email,
  })
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] =
    investment?.maturityDate ?? []
  const maturesIn = Date.UTC(year, month - 1, day, hour, minute, second) - opened
  expect(Math.round(maturesIn / 86_400_000)).toBe(durationDays)
  expect(answer.body.maturityDate).toEqual(investment?.maturityDate)
})

test.each([
  [0.24, 1, '$0.25'],
  [0.01, 1, '$0.25'],
  [0.19, 5, '$0.20'],
  [0.14, 12, '$0.15'],
])('$%s for %s days would earn nothing and is refused', async (amount, durationDays, least) => {
  const investor = await investorWith(product, 50)
  const narration = `This amount would earn no interest on this plan. Please invest at least ${least}.`
  expect(await ask(investor, amount, durationDays)).toMatchObject({
    status: 400,
    narration,
    body: { code: 'earnsNothing' },
  })
  expect(await balanceOf(product, investor)).toBe(50)
  expect(await listOf(investor)).toEqual([])
})

test('an investment stands in the list of transactions', async () => {
  const investor = await investorWith(product, 50)
  await ask(investor, 20, 5)
  const { body } = await product.call(listTransactions, { token: investor.token })
  expect(body).toMatchObject([
    { type: 'investment', amount: 20, status: 'COMPLETED' },
    { type: 'deposit' },
  ])
})

test.each([
  [undefined, validation.durationRequired],
  [2, validation.durationInvalid],
  [0, validation.durationInvalid],
  [-1, validation.durationInvalid],
  [1.5, validation.durationInvalid],
  ['1', validation.durationInvalid],
])('a duration of %s is refused', async (durationDays, sentence) => {
  const investor = await investorWith(product, 50)
  expect(await ask(investor, 20, durationDays)).toMatchObject({
    status: 400,
    narration: sentence,
    body: { field: 'durationDays' },
  })
  expect(await balanceOf(product, investor)).toBe(50)
})

test('the verb itself refuses a duration without plan', async () => {
  const investor = await investorWith(product, 50)
  const request = { by: { id: investor.id, from: 'tests' }, amount: cents(20_00n), durationDays: 2 }
  await expect(openInvestment(product.context, request)).rejects.toMatchObject({
    code: 'validation',
    message: validation.durationInvalid,
    status: 400,
    field: 'durationDays',
  })
  expect(await balanceOf(product, investor)).toBe(50)
})

test('more than the balance is refused', async () => {
  const investor = await investorWith(product, 50)
  expect(await ask(investor, 50.01, 1)).toMatchObject({
    status: 409,
    narration: 'Amount cannot exceed your balance of $50.00',
  })
})

test("staff list everybody's investments by maturity day", async () => {
  const investor = await investorWith(product, 50)
  await ask(investor, 20, 12)
  const admin = await person(product, ['ADMIN'])
  const { body } = await product.call(listAllInvestments, { token: admin.token })
  expect(body[0]).toMatchObject({
    userId: investor.id,
    interest: 1.4,
    maturityDate: [expect.any(Number), expect.any(Number), expect.any(Number)],
  })
})
