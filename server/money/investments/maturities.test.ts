import { cents } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import {
  checkMaturities,
  type Investment,
  invest,
  listInvestments,
} from '@pool/contract/money/investments'
import { balance, listTransactions } from '@pool/contract/requests/transactions'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { checkLedger, findingOf } from '../../ledger/check/check.ts'
import { type Ledger, openLedger } from '../../ledger/engine/ledger.ts'
import { movements } from '../../ledger/families/movements.ts'
import {
  balanceOf,
  fund,
  investorWith,
  type Person,
  type Product,
  person,
  startProduct,
} from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { openInvestment } from './openInvestment.ts'
import { payMaturities } from './payMaturities.ts'

let product: Product
let admin: Person

beforeAll(async () => {
  product = await startProduct()
  admin = await person(product, ['ADMIN'])
})
afterAll(() => product.close())

/** The database's error when its own rule forbids a batch. */
const refusedGroup = Object.assign(new pg.DatabaseError('refused', 1, 'error'), {
  constraint: 'any',
})

/** Opens an investment that is due at once. */
const dueInvestment = (investor: Person, amount: bigint) =>
  openInvestment(
    { ...product.context, config: { ...product.context.config, daySeconds: 0 } },
    { by: { id: investor.id, from: 'tests' }, amount: cents(amount), durationDays: 1 },
  )

test('a matured investment pays principal and interest as a payout', async () => {
  const investor = await investorWith(product, 250)
  await dueInvestment(investor, 100_00n)
  expect(await balanceOf(product, investor)).toBe(150)

  const answer = await product.call(checkMaturities, { token: admin.token })
  expect(answer).toMatchObject({ status: 200, body: { matured: 1, paid: 104 } })
  expect(await balanceOf(product, investor)).toBe(254)

  const { body: investments } = await product.call(listInvestments, {
    token: investor.token,
    params: { userId: investor.id },
  })
  expect(investments).toMatchObject([
    {
      status: 'COMPLETED',
      amount: 100,
      interest: 4,
      returnAmount: 4,
    } satisfies Partial<Investment>,
  ])
  const { body } = await product.call(listTransactions, { token: investor.token })
  expect(body[0]).toMatchObject({
    type: 'payout',
    amount: 104,
    status: 'COMPLETED',
  })
})

test('an investment that has not matured is not paid', async () => {
  const investor = await investorWith(product, 100)
  await product.call(invest, {
    token: investor.token,
    payload: { userId: investor.id, amount: 100, durationDays: 1 },
  })
  expect((await product.call(checkMaturities, { token: admin.token })).body).toEqual({
    matured: 0,
    paid: 0,
  })
  expect(await balanceOf(product, investor)).toBe(0)
})

test('50 parallel checks from two processes pay each investment once', async () => {
  const investor = await investorWith(product, 500)
  for (let count = 0; count < 50; count += 1) await dueInvestment(investor, 10_00n)
  const processes = [product.context.ledger, openLedger(product.database.pool)]
  const runs = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      payMaturities({
        db: product.context.db,
        ledger: processes[index % 2] ?? product.context.ledger,
      }),
    ),
  )
  expect(runs.reduce((sum, { matured }) => sum + matured, 0)).toBe(50)
  expect(await balanceOf(product, investor)).toBe(520)
  expect(await checkLedger(product.context.db)).not.toHaveProperty('firstMismatch')
})

test('two payers pay thousands once each beside requests', async () => {
  const investors = await Promise.all(
    Array.from({ length: 5 }, () => investorWith(product, 10_000)),
  )
  const { context, database } = product
  const DUE = 2_500
  await Promise.all(
    Array.from({ length: DUE }, (_, n) => dueInvestment(investors[n % 5] ?? admin, 5_00n)),
  )

  let answered = 0
  let paying = true
  const requests = investors.map(async (investor) => {
    while (paying) {
      await openInvestment(context, {
        by: { id: investor.id, from: 'tests' },
        amount: cents(5_00n),
        durationDays: 1,
      })
      if (paying) answered += 1
    }
  })
  const payers = [context.ledger, openLedger(database.pool)]
  const runs = await Promise.all(payers.map((ledger) => payMaturities({ db: context.db, ledger })))
  paying = false
  await Promise.all(requests)
  expect(runs.reduce((sum, { matured }) => sum + matured, 0)).toBe(DUE)
  expect(answered).toBeGreaterThan(5)
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS payouts, count(DISTINCT investment_id)::int AS paid FROM transactions WHERE type = 'payout' AND user_id = ANY ($1)",
    [investors.map(({ id }) => id)],
  )
  expect(rows).toEqual([{ payouts: DUE, paid: DUE }])
  expect(findingOf(await checkLedger(context.db))).toBeUndefined()
})

test('an investment that cannot be paid holds back no other', async () => {
  const [robbed, other] = [await investorWith(product, 100), await investorWith(product, 100)]
  await dueInvestment(robbed, 50_00n)
  await dueInvestment(other, 50_00n)
  const take = (amount: number) =>
    tamper(
      product.database,
      `UPDATE accounts SET balance = balance + ${amount} WHERE kind = 'invested' AND owner_id = '${robbed.id}'`,
    )
  await take(-50_00)
  await expect(payMaturities(product.context)).rejects.toThrow('found only 0 cents in invested')
  expect([await balanceOf(product, robbed), await balanceOf(product, other)]).toEqual([50, 102])
  await take(50_00)
  expect(await payMaturities(product.context)).toEqual({ matured: 1, paid: 52_00n })
  expect(findingOf(await checkLedger(product.context.db))).toBeUndefined()
})

test('a thousand that cannot be paid hold back no other', async () => {
  const [robbed, other] = [await investorWith(product, 20_000), await investorWith(product, 100)]
  await Promise.all(Array.from({ length: 1_000 }, () => dueInvestment(robbed, 10_00n)))
  await dueInvestment(other, 50_00n)
  const take = (amount: number) =>
    tamper(
      product.database,
      `UPDATE accounts SET balance = balance + ${amount} WHERE kind = 'invested' AND owner_id = '${robbed.id}'`,
    )
  await take(-10_000_00)
  await expect(payMaturities(product.context)).rejects.toThrow('found only 0 cents in invested')
  expect(await balanceOf(product, other)).toBe(102)
  await take(10_000_00)
  expect(await payMaturities(product.context)).toMatchObject({ matured: 1_000 })
})

test('an investment of another payer is not counted twice', async () => {
  const { ledger, db } = product.context
  const investor = await investorWith(product, 100)
  await dueInvestment(investor, 50_00n)
  const late: Ledger = {
    ...ledger,
    payMatured: () => Promise.reject(refusedGroup),
    post: async (operation) => {
      expect(await ledger.payMatured(10)).toEqual({ matured: 1, paid: 52_00n })
      return ledger.post(operation)
    },
  }
  expect(await payMaturities({ db, ledger: late })).toEqual({ matured: 0, paid: 0n })
  expect(await balanceOf(product, investor)).toBe(102)
})

test('an investment that another process is paying is paid once', async () => {
  const { ledger, db } = product.context
  const investor = await investorWith(product, 1_000)
  await dueInvestment(investor, 50_00n)
  // The principal of another investment would cover a second payment.
  await openInvestment(product.context, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(500_00n),
    durationDays: 12,
  })
  const { pool } = product.database
  const other = await pool.connect()
  try {
    await other.query('BEGIN')
    await other.query('SELECT pay_matured($1::uuid[], $2)', [
      [newId()],
      JSON.stringify(movements.investment_matured.legs),
    ])
    const payMatured = () => Promise.reject(refusedGroup)
    const paying = payMaturities({ db, ledger: { ...ledger, payMatured } })
    await vi.waitFor(
      async () => {
        const { rowCount } = await pool.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
        expect(rowCount).toBe(1)
      },
      { timeout: 30_000 },
    )
    await other.query('COMMIT')
    expect(await paying).toEqual({ matured: 0, paid: 0n })
  } finally {
    other.release()
  }
  expect(await balanceOf(product, investor)).toBe(502)
  expect(findingOf(await checkLedger(product.context.db))).toBeUndefined()
})

test('an investment pays the same alone as in a batch', async () => {
  const { ledger, db } = product.context
  const investor = await investorWith(product, 100)
  await dueInvestment(investor, 50_00n)
  const payMatured = () => Promise.reject(refusedGroup)
  expect(await payMaturities({ db, ledger: { ...ledger, payMatured } })).toEqual({
    matured: 1,
    paid: 52_00n,
  })
  const { body } = await product.call(listTransactions, { token: investor.token })
  expect(body[0]).toMatchObject({
    type: 'payout',
    amount: 52,
    status: 'COMPLETED',
  })
  expect(await balanceOf(product, investor)).toBe(102)
})

test('every due investment is paid one by one', async () => {
  const { ledger, db } = product.context
  const investor = await investorWith(product, 10_000)
  const DUE = 501
  await Promise.all(Array.from({ length: DUE }, () => dueInvestment(investor, 10_00n)))
  const payMatured = () => Promise.reject(refusedGroup)
  expect(await payMaturities({ db, ledger: { ...ledger, payMatured } })).toEqual({
    matured: DUE,
    paid: BigInt(DUE) * 10_40n,
  })
})

test('a payout that the ledger refuses fails', async () => {
  const { ledger, db } = product.context
  await dueInvestment(await investorWith(product, 100), 50_00n)
  const unavailable = {
    ...ledger,
    payMatured: () => Promise.reject(refusedGroup),
    post: () => Promise.reject(refusal('unavailable')),
  }
  await expect(payMaturities({ db, ledger: unavailable })).rejects.toMatchObject({
    code: 'unavailable',
  })
  expect(await payMaturities(product.context)).toMatchObject({ matured: 1 })
})

test.each([
  ['a waiting request goes between two batches', 1, ['batch', 'request', 'batch', 'batch']],
  ['without requests two batches run side by side', 0, ['batch', 'batch', 'batch', 'request']],
])('%s', async (_statement, waiting, expected) => {
  const { ledger, db } = product.context
  const order: string[] = []
  let batches = 0
  const payMatured: Ledger['payMatured'] = (most) => {
    order.push('batch')
    batches += 1
    if (batches === 1) setImmediate(() => order.push('request'))
    return Promise.resolve({ matured: batches === 1 ? most : 0, paid: cents(0n) })
  }
  await payMaturities({ db, ledger: { ...ledger, payMatured, waiting: () => waiting } })
  await new Promise(setImmediate)
  expect(order).toEqual(expected)
})

test('a lost connection ends the payment with its error', async () => {
  const { ledger, db } = product.context
  const lost = new Error('Connection terminated unexpectedly')
  const post = () => Promise.reject(new Error('not to be asked'))
  await dueInvestment(await investorWith(product, 100), 50_00n)
  await expect(
    payMaturities({ db, ledger: { ...ledger, post, payMatured: () => Promise.reject(lost) } }),
  ).rejects.toBe(lost)
  expect(await payMaturities(product.context)).toMatchObject({ matured: 1 })
})

test('interest beyond the reserve is refused and changes nothing', async () => {
  const poor = await startProduct({}, { reserve: cents(3_99n) })
  const investor = await person(poor)
  await fund(poor, investor, cents(200_00n))
  const request = (amount: number) =>
    poor.call(invest, {
      token: investor.token,
      payload: { userId: investor.id, amount, durationDays: 1 },
    })

  const refused = await request(100)
  expect(refused.status).toBe(409)
  expect(refused.narration).toMatch(/reserve cannot cover/)
  expect(
    (await poor.call(balance, { token: investor.token, payload: { userId: investor.id } })).body,
  ).toBe(200)
  expect(
    (await poor.call(listInvestments, { token: investor.token, params: { userId: investor.id } }))
      .body,
  ).toEqual([])

  expect((await request(99)).status).toBe(200)
  await poor.close()
})
