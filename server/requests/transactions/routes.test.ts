import { cents } from '@pool/contract/base/money'
import * as validation from '@pool/contract/base/validation'
import {
  approve,
  confirm,
  defaultReason,
  reject,
  rejectByPayload,
  rejectByPut,
} from '@pool/contract/requests/decisions'
import { DEFAULT_DESTINATION, deposit, withdraw } from '@pool/contract/requests/requests'
import { listTransactions, totalBalance } from '@pool/contract/requests/transactions'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  balanceOf,
  codeOf,
  fund,
  investorWith,
  type Person,
  person,
  testProduct,
  wallets,
} from '../../testing/product.ts'
import { expireDeposits } from './expireDeposits.ts'

const product = testProduct()
let admin: Person
beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
})

const newest = async ({ token }: Person) =>
  (await product.call(listTransactions, { token })).body[0]
const askToDeposit = (investor: Person, amount: unknown, more: object = {}) =>
  product.call(deposit, {
    token: investor.token,
    payload: { userId: investor.id, amount, ...more },
  })
const askToWithdraw = (investor: Person, amount: unknown, more: object = {}) =>
  product.call(withdraw, {
    token: investor.token,
    payload: { userId: investor.id, amount, ...more },
  })
const idOf = ({ body }: { body: unknown }) => (body as { transactionId: string }).transactionId

describe('a deposit', () => {
  test('is credited to its investor when an admin confirms it', async () => {
    const investor = await person(product)
    const [address] = await wallets(product, 1)
    const asked = await askToDeposit(investor, 250, { description: 'Savings' })
    expect(asked).toMatchObject({ status: 200, body: { networkName: 'Bitcoin', amount: 250 } })
    expect(address).toBeDefined()
    expect(await balanceOf(product, investor)).toBe(0)
    expect(await newest(investor)).toMatchObject({
      type: 'deposit',
      status: 'PENDING',
      amount: 250,
      description: 'Savings',
    })

    const confirmed = await product.call(confirm, {
      token: admin.token,
      payload: { transactionId: idOf(asked) },
    })
    expect(confirmed).toMatchObject({ status: 200, body: { status: 'APPROVED' } })
    expect(await balanceOf(product, investor)).toBe(250)
    expect(await newest(investor)).toMatchObject({ status: 'APPROVED' })
  })

  test('shows the same investor the same wallet again', async () => {
    const investor = await person(product)
    await wallets(product, 2)
    const first = await askToDeposit(investor, 20)
    const second = await askToDeposit(investor, 30)
    expect(second.body.address).toBe(first.body.address)
  })

  test('below the minimum of the instructions is accepted', async () => {
    const investor = await investorWith(product, 1)
    expect((await askToDeposit(investor, 0.01)).status).toBe(200)
  })

  test('that expired cannot be confirmed', async () => {
    const investor = await investorWith(product, 1)
    const transactionId = idOf(await askToDeposit(investor, 20))
    expect(await expireDeposits(product.context, 30)).toBe(0)
    expect(await expireDeposits(product.context, 0)).toBeGreaterThan(0)
    expect(await newest(investor)).toMatchObject({ id: transactionId, status: 'EXPIRED' })
    const late = await product.call(confirm, { token: admin.token, payload: { transactionId } })
    expect(late).toMatchObject({ status: 409, narration: 'This transaction was already expired.' })
    expect(await balanceOf(product, investor)).toBe(1)
  })
})

describe('a withdrawal', () => {
  test('that is rejected gets its amount back', async () => {
    const investor = await investorWith(product, 254)
    const transactionId = idOf(
      await askToWithdraw(investor, 50, { destinationAddress: 'bc1-somewhere' }),
    )
    expect(await balanceOf(product, investor)).toBe(204)
    expect(await newest(investor)).toMatchObject({
      status: 'PENDING',
      destinationAddress: 'bc1-somewhere',
    })

    const rejected = await product.call(reject, {
      token: admin.token,
      params: { id: transactionId },
      payload: { reason: 'Wrong network' },
    })
    expect(rejected).toMatchObject({
      status: 200,
      body: { status: 'REJECTED', reason: 'Wrong network' },
    })
    expect(await balanceOf(product, investor)).toBe(254)
    expect(await newest(investor)).toMatchObject({ status: 'REJECTED', reason: 'Wrong network' })
  })

  test('that is approved takes its amount for good', async () => {
    const investor = await investorWith(product, 100)
    const transactionId = idOf(await askToWithdraw(investor, 50))
    const approved = await product.call(approve, {
      token: admin.token,
      payload: { transactionId, userId: investor.id },
    })
    expect(approved).toMatchObject({ status: 200, body: { status: 'APPROVED' } })
    expect(await balanceOf(product, investor)).toBe(50)
  })

  test.each([
    [{ destinationAddress: 'bc1-x', description: 'rent' }, 'bc1-x'],
    [{ description: 'bc1-from-description' }, 'bc1-from-description'],
    [{ destinationAddress: '', description: '' }, DEFAULT_DESTINATION],
    [{}, DEFAULT_DESTINATION],
  ])('to %j goes to %s', async (request, destinationAddress) => {
    const investor = await investorWith(product, 10)
    expect(await askToWithdraw(investor, 10, request)).toMatchObject({
      status: 200,
      body: { destinationAddress },
    })
  })

  test('below $10.00 is refused', async () => {
    const investor = await investorWith(product, 100)
    expect(await askToWithdraw(investor, 9.99)).toMatchObject({
      status: 400,
      narration: validation.withdrawalMinimum,
    })
  })

  test('above the balance is refused with the balance named', async () => {
    const investor = await investorWith(product, 1_234)
    expect(await askToWithdraw(investor, 1_234.01)).toMatchObject({
      status: 409,
      narration: 'Amount cannot exceed your balance of $1,234.00',
    })
    expect(await balanceOf(product, investor)).toBe(1_234)
  })

  test.each([reject, rejectByPut])('is rejected through $method $path', async (endpoint) => {
    const investor = await investorWith(product, 20)
    const id = idOf(await askToWithdraw(investor, 20))
    expect(
      await product.call(endpoint, {
        token: admin.token,
        params: { id },
        payload: { reason: '' },
      }),
    ).toMatchObject({ status: 200 })
    expect(await newest(investor)).toMatchObject({
      status: 'REJECTED',
      reason: defaultReason.reject,
    })
  })

  test('is rejected through the payload without a reason', async () => {
    const investor = await investorWith(product, 20)
    const transactionId = idOf(await askToWithdraw(investor, 20))
    await product.call(rejectByPayload, { token: admin.token, payload: { transactionId } })
    expect(await newest(investor)).toMatchObject({
      status: 'REJECTED',
      reason: defaultReason.reject,
    })
  })
})

describe('amounts', () => {
  const cases: [unknown, string][] = [
    [undefined, validation.amountRequired],
    [null, validation.amountNumber],
    ['50', validation.amountNumber],
    [[50], validation.amountNumber],
    [0, validation.amountPositive],
    [-50, validation.amountPositive],
    [50.001, validation.amountDecimals],
    [0.1 + 0.2, validation.amountDecimals],
    [10_000_000.01, validation.amountMaximum],
    [1e308, validation.amountMaximum],
  ]
  test.each(cases)('of %s are refused and change nothing', async (amount, sentence) => {
    const investor = await investorWith(product, 100)
    expect(await askToDeposit(investor, amount)).toMatchObject({
      status: 400,
      narration: sentence,
      body: { field: 'amount' },
    })
    const withdrawal = await askToWithdraw(investor, amount)
    expect(withdrawal.status).toBe(400)
    expect((await product.call(listTransactions, { token: investor.token })).body).toHaveLength(1)
  })

  test('that are not JSON numbers are refused', async () => {
    const investor = await investorWith(product, 100)
    for (const amount of ['NaN', 'Infinity', '0x10', '1e', '10,00', '०', '٣']) {
      const response = await product.app.inject({
        method: 'POST',
        url: deposit.path,
        headers: { authorization: `Bearer ${investor.token}`, 'content-type': 'application/json' },
        payload: `{"userId":"${investor.id}","amount":${amount}}`,
      })
      expect([amount, response.statusCode, response.json().successful]).toEqual([
        amount,
        400,
        false,
      ])
    }
  })
})

describe('decisions', () => {
  test('about the wrong kind of transaction are refused', async () => {
    const investor = await investorWith(product, 100)
    const depositId = idOf(await askToDeposit(investor, 20))
    const withdrawalId = idOf(await askToWithdraw(investor, 20))
    const answers = [
      await product.call(confirm, { token: admin.token, payload: { transactionId: withdrawalId } }),
      await product.call(approve, {
        token: admin.token,
        payload: { transactionId: depositId, userId: investor.id },
      }),
      await product.call(reject, { token: admin.token, params: { id: depositId }, payload: {} }),
    ]
    expect(answers.map((answer) => [answer.status, codeOf(answer)])).toEqual([
      [409, 'notADeposit'],
      [409, 'notAWithdrawal'],
      [409, 'notAWithdrawal'],
    ])
    expect(await balanceOf(product, investor)).toBe(80)
  })

  test('that name another owner than the stored one are refused', async () => {
    const investor = await investorWith(product, 100)
    const stranger = await person(product)
    const transactionId = idOf(await askToWithdraw(investor, 20))
    const answer = await product.call(approve, {
      token: admin.token,
      payload: { transactionId, userId: stranger.id },
    })
    expect(answer).toMatchObject({ status: 409, body: { code: 'ownerMismatch' } })
    expect(await newest(investor)).toMatchObject({ status: 'PENDING' })
  })

  test("about the admin's own money are refused", async () => {
    const self = await person(product, ['USER', 'SUPER_ADMIN'])
    await fund(product, self, cents(100_00n))
    const transactionId = idOf(await askToWithdraw(self, 20))
    const depositId = idOf(await askToDeposit(self, 20))
    const answers = [
      await product.call(approve, {
        token: self.token,
        payload: { transactionId, userId: self.id },
      }),
      await product.call(reject, { token: self.token, params: { id: transactionId }, payload: {} }),
      await product.call(confirm, { token: self.token, payload: { transactionId: depositId } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
    expect(await balanceOf(product, self)).toBe(80)
  })

  test('about an unknown transaction answer 404', async () => {
    const ask = (transactionId: string) =>
      product.call(confirm, { token: admin.token, payload: { transactionId } })
    expect((await ask(crypto.randomUUID())).status).toBe(404)
    expect((await ask("1' OR '1'='1")).status).toBe(400)
  })
})

describe('reading', () => {
  test("an investor lists own transactions, staff everybody's", async () => {
    const one = await investorWith(product, 10)
    const two = await investorWith(product, 20)
    const own = (await product.call(listTransactions, { token: one.token })).body
    expect(own.map(({ userId }) => userId)).toEqual([one.id])
    const all = (await product.call(listTransactions, { token: admin.token })).body
    expect(all.slice(0, 2).map(({ userId, userEmail }) => [userId, userEmail])).toEqual([
      [two.id, two.email],
      [one.id, one.email],
    ])
  })

  test('the total balance adds up all spendable balances', async () => {
    const before = (await product.call(totalBalance, { token: admin.token })).body
    const investor = await investorWith(product, 40)
    await askToWithdraw(investor, 15)
    expect((await product.call(totalBalance, { token: admin.token })).body).toBeCloseTo(
      before + 25,
      2,
    )
  })
})
