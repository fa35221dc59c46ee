import { cents } from '@pool/contract/money'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openInvestment } from '../server/investments/openInvestment.ts'
import { actAs, fund, type Person, type Product, person, startProduct } from '../server/testing/product.ts'
import { tamper } from '../server/testing/tamper.ts'
import { rejectWithdrawal } from '../server/transactions/rejectWithdrawal.ts'
import { requestWithdrawal } from '../server/transactions/requestWithdrawal.ts'
import type { Operation } from './plan.ts'
import { contradictions } from './verify.ts'

/** The judge of every fault is able to find against the product: what it must not pass over is done here on purpose. */

let product: Product
let investor: Person
beforeEach(async () => {
  product = await startProduct()
  investor = await person(product)
  await fund(product, investor, cents(1_000_00n))
})
afterEach(() => product.close())

const withdraw = (key: string) =>
  requestWithdrawal(product.context, { by: { id: investor.id, from: 'tests' }, amount: cents(10_00n), description: key })
const told = (key: string, outcome: Operation['outcome'], more: Partial<Operation> = {}): Operation => ({
  kind: 'withdrawal',
  key,
  outcome,
  wasUnknown: outcome === 'unknown',
  at: 0,
  ...more,
})
const judged = (...operations: readonly Operation[]) => contradictions(operations, product.database.pool)

test('what is there once, or never, as its client was told, is found in order', async () => {
  await withdraw('there')
  expect(await judged(told('there', 'acknowledged'), told('absent', 'refused'))).toEqual([])
  expect(await judged(told('there', 'unknown'), told('absent', 'unknown'))).toEqual([])
})

test('an acknowledged operation that was lost is found, and a refused one that was carried out', async () => {
  await withdraw('refused')
  expect(await judged(told('lost', 'acknowledged'))).toEqual(['withdrawal lost was acknowledged and is there 0 times'])
  expect(await judged(told('refused', 'refused'))).toEqual(['withdrawal refused was refused and is there 1 times'])
})

test('an operation that took effect twice is found, whether or not it was acknowledged, and one that was answered in two ways', async () => {
  await withdraw('twice')
  await withdraw('twice')
  expect(await judged(told('twice', 'acknowledged'))).toEqual(['withdrawal twice was acknowledged and is there 2 times'])
  expect(await judged(told('twice', 'unknown'))).toEqual(['withdrawal twice was unknown and is there 2 times'])
  expect(await judged(told('elsewhere', 'answeredDifferently'))).toHaveLength(1)
})

test('a decision that was acknowledged and is not what became of it is found', async () => {
  const admin = await person(product, ['ADMIN'])
  const { transactionId } = await withdraw('decided')
  await rejectWithdrawal(product.context, { transactionId, by: actAs(admin), reason: 'No' })
  const decision = { kind: 'decision', transactionId } as const
  expect(await judged(told('decided', 'acknowledged', { ...decision, decision: 'REJECTED' }))).toEqual([])
  expect(await judged(told('decided', 'acknowledged', { ...decision, decision: 'APPROVED' }))).toHaveLength(1)
})

test('interest that is a cent more or less than the rate gives is found', async () => {
  const { investmentId } = await openInvestment(product.context, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(33_35n),
    durationDays: 12,
  })
  for (const [change, found] of [
    ['+ 1', 1],
    ['- 2', 1],
    ['+ 1', 0],
  ] as const) {
    await tamper(product.database, `UPDATE investments SET interest = interest ${change} WHERE id = '${investmentId}'`)
    expect(await judged()).toHaveLength(found)
  }
})

test('a payout that an investment never had, or should not have yet, is found', async () => {
  const { investmentId } = await openInvestment(product.context, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(100_00n),
    durationDays: 1,
  })
  expect(await judged()).toEqual([])
  await tamper(product.database, `UPDATE investments SET status = 'COMPLETED' WHERE id = '${investmentId}'`)
  expect(await judged()).toEqual([`investment ${investmentId} has 0 payouts, or one that is not its own`])
  await tamper(
    product.database,
    `INSERT INTO transactions (id, user_id, type, amount, status, investment_id, created_at, updated_at)
    SELECT gen_random_uuid(), user_id, 'payout', principal + interest, 'COMPLETED', id, now(), now() FROM investments WHERE id = '${investmentId}'`,
  )
  expect(await judged(), 'before it matured').toHaveLength(1)
})
