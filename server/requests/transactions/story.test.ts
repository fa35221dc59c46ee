import { cents } from '@pool/contract/base/money'
import { type Investment, listInvestments } from '@pool/contract/money/investments'
import {
  investmentStory,
  type TransactionStory,
  transactionStory,
} from '@pool/contract/requests/stories'
import {
  listTransactions,
  type Transaction,
  type TransactionType,
} from '@pool/contract/requests/transactions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import {
  actAs,
  fund,
  investorWith,
  type Person,
  type Product,
  person,
  startProduct,
  wallets,
} from '../../testing/product.ts'
import { approveWithdrawal } from './approveWithdrawal.ts'
import { confirmDeposit } from './confirmDeposit.ts'
import { expireDeposits } from './expireDeposits.ts'
import { rejectWithdrawal } from './rejectWithdrawal.ts'
import { requestDeposit } from './requestDeposit.ts'
import { requestWithdrawal } from './requestWithdrawal.ts'

let product: Product
let admin: Person
let colleague: Person
let investor: Person
beforeAll(async () => {
  product = await startProduct()
  admin = await person(product, ['ADMIN'])
  colleague = await person(product, ['ADMIN'])
  investor = await investorWith(product, 500)
})
afterAll(() => product.close())

const storyOf = async (id: string, { token }: Person) =>
  (await product.call(transactionStory, { token, params: { id } })).body
const investmentStoryOf = async (id: string, { token }: Person) =>
  (await product.call(investmentStory, { token, params: { id } })).body

const summaryOf = ({
  events,
  transfers,
}: {
  events: TransactionStory['events']
  transfers: TransactionStory['transfers']
}) => ({
  events: events.map(
    ({ what, by }) => `${what} by ${by.kind}${by.username ? ` ${by.username}` : ''}`,
  ),
  transfers: transfers.map(
    ({ movement, from, to, amount }) => `${movement}: $${amount} from ${from} to ${to}`,
  ),
})

const deposit = async () => {
  await wallets(product, 1)
  return requestDeposit(product.context.ledger, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(40_00n),
  })
}
const withdrawal = () =>
  requestWithdrawal(product.context, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(15_50n),
  })

/** Invests $100 for 5 days, which last no time with `matures`. */
const invested = async ({ matures = false } = {}) => {
  const { context } = product
  const config = { ...context.config, daySeconds: matures ? 0 : 86_400 }
  const { investmentId } = await openInvestment(
    { ...context, config },
    { by: { id: investor.id, from: 'tests' }, amount: cents(100_00n), durationDays: 5 },
  )
  await payMaturities(context)
  return investmentId
}

describe('a transaction tells', () => {
  test('its record as the list has it', async () => {
    const { transactionId } = await deposit()
    const { body } = await product.call(listTransactions, {
      token: investor.token,
      query: { search: transactionId },
    })
    const { transaction, investmentId } = await storyOf(transactionId, investor)
    expect([transaction]).toEqual(body)
    expect(investmentId).toBeNull()
    expect(transaction.walletAddress).not.toBe('')
  })

  test('of a deposit that it was requested, then confirmed', async () => {
    const { transactionId } = await deposit()
    expect(summaryOf(await storyOf(transactionId, investor))).toEqual({
      events: ['requested by you'],
      transfers: [],
    })
    await confirmDeposit(product.context, { transactionId, by: actAs(admin) })
    const transfers = ['deposit_confirmed: $40 from custody to available']
    const story = await storyOf(transactionId, investor)
    expect(summaryOf(story)).toEqual({
      events: ['requested by you', 'confirmed by staff'],
      transfers,
    })
    expect(story.events.map(({ at }) => at)).toEqual([
      story.transaction.createdAt,
      story.transaction.updatedAt,
    ])
    expect(story.transfers[0]?.at).toEqual(story.transaction.updatedAt)
    const owned = `requested by owner ${investor.email}`
    expect(summaryOf(await storyOf(transactionId, colleague))).toEqual({
      events: [owned, `confirmed by staff ${admin.email}`],
      transfers,
    })
    expect(summaryOf(await storyOf(transactionId, admin)).events).toEqual([
      owned,
      'confirmed by you',
    ])
  })

  test('of a deposit that it expired', async () => {
    const { transactionId } = await deposit()
    await expireDeposits(product.context, 0)
    expect(summaryOf(await storyOf(transactionId, investor))).toEqual({
      events: ['requested by you', 'expired by system'],
      transfers: [],
    })
  })

  test('of a withdrawal its hold, then payment or release', async () => {
    const [paid, released] = [await withdrawal(), await withdrawal()]
    const held = 'withdrawal_held: $15.5 from available to held'
    expect(summaryOf(await storyOf(paid.transactionId, investor))).toEqual({
      events: ['requested by you'],
      transfers: [held],
    })
    await approveWithdrawal(product.context, {
      transactionId: paid.transactionId,
      userId: investor.id,
      by: actAs(admin),
    })
    await rejectWithdrawal(product.context, {
      transactionId: released.transactionId,
      by: actAs(admin),
      reason: 'Unknown address',
    })
    expect(summaryOf(await storyOf(paid.transactionId, investor))).toEqual({
      events: ['requested by you', 'approved by staff'],
      transfers: [held, 'withdrawal_approved: $15.5 from held to outgoing'],
    })
    const rejected = await storyOf(released.transactionId, investor)
    expect(rejected.transaction.reason).toBe('Unknown address')
    expect(summaryOf(rejected)).toEqual({
      events: ['requested by you', 'rejected by staff'],
      transfers: [held, 'withdrawal_released: $15.5 from held to available'],
    })
  })

  test('of an investment and its payout their own transfers', async () => {
    const investmentId = await invested({ matures: true })
    const { body } = await product.call(listTransactions, { token: investor.token })
    const newest = (type: TransactionType) =>
      body.find((transaction) => transaction.type === type)?.id ?? ''
    const opening = await storyOf(newest('investment'), investor)
    expect(summaryOf(opening)).toEqual({
      events: ['opened by you'],
      transfers: [
        'investment_opened: $100 from available to invested',
        'investment_opened: $5 from reserve to committed',
      ],
    })
    const payout = await storyOf(newest('payout'), investor)
    expect(summaryOf(payout)).toEqual({
      events: ['matured by system'],
      transfers: [
        'investment_matured: $100 from invested to available',
        'investment_matured: $5 from committed to available',
      ],
    })
    expect([opening.investmentId, payout.investmentId]).toEqual([investmentId, investmentId])
  })
})

describe('an investment tells', () => {
  test('its record, its rate and its opening', async () => {
    const id = await invested()
    const { body } = await product.call(listInvestments, {
      token: investor.token,
      params: { userId: investor.id },
      query: { search: id },
    })
    const story = await investmentStoryOf(id, investor)
    expect([story.investment]).toEqual(body)
    expect(story).toMatchObject({ rateBasisPoints: 500, payoutTransactionId: null })
    expect((await storyOf(story.openingTransactionId, investor)).transaction).toMatchObject({
      type: 'investment',
      amount: 100,
    })
    expect(summaryOf(story)).toEqual({
      events: ['opened by you'],
      transfers: [
        'investment_opened: $100 from available to invested',
        'investment_opened: $5 from reserve to committed',
      ],
    })
  })

  test('its maturity and the transaction that paid it', async () => {
    const id = await invested({ matures: true })
    const story = await investmentStoryOf(id, admin)
    const payout = await storyOf(story.payoutTransactionId ?? '', admin)
    expect(payout.transaction).toMatchObject({ type: 'payout', amount: 105, interest: 5 })
    expect(summaryOf(story).events).toEqual([
      `opened by owner ${investor.email}`,
      'matured by system',
    ])
    expect(story.transfers).toHaveLength(4)
    expect(story.events[1]?.at).toEqual(payout.transaction.createdAt)
    expect(story.investment.maturityDate).toHaveLength(7)
  })
})

describe('a story is shown', () => {
  test('to its owner and staff alone', async () => {
    const { transactionId } = await deposit()
    const investmentId = await invested()
    const stranger = await investorWith(product, 10)
    for (const [endpoint, id, code] of [
      [transactionStory, transactionId, 'transactionNotFound'],
      [investmentStory, investmentId, 'investmentNotFound'],
    ] as const) {
      for (const reader of [investor, admin]) {
        expect((await product.call(endpoint, { token: reader.token, params: { id } })).status).toBe(
          200,
        )
      }
      const foreign = await product.call(endpoint, { token: stranger.token, params: { id } })
      expect(foreign).toMatchObject({ status: 404, body: { code } })
      expect(
        await product.call(endpoint, {
          token: stranger.token,
          params: { id: crypto.randomUUID() },
        }),
      ).toEqual(foreign)
      expect(
        await product.call(endpoint, { token: admin.token, params: { id: crypto.randomUUID() } }),
      ).toEqual(foreign)
      expect(
        (await product.call(endpoint, { token: admin.token, params: { id: 'x' } })).status,
      ).toBe(400)
    }
  })

  test('to an investor without emails of other people', async () => {
    await fund(product, investor, cents(50_00n))
    const { transactionId } = await withdrawal()
    await rejectWithdrawal(product.context, { transactionId, by: actAs(admin), reason: 'no' })
    await invested({ matures: true })
    const { body: transactions } = await product.call(listTransactions, { token: investor.token })
    const { body: investments } = await product.call(listInvestments, {
      token: investor.token,
      params: { userId: investor.id },
    })
    const stories = [
      ...(await Promise.all(
        (transactions as Transaction[]).map(({ id }) => storyOf(id, investor)),
      )),
      ...(await Promise.all(
        (investments as Investment[]).map(({ id }) => investmentStoryOf(id, investor)),
      )),
    ]
    expect(stories.length).toBeGreaterThan(10)
    const emails = JSON.stringify(stories).match(/[\w-]+@[\w.]+/g)
    expect(new Set(emails)).toEqual(new Set([investor.email]))
    expect(JSON.stringify(stories)).not.toContain(admin.id)
  })
})
