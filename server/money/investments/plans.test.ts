import { planIsClosed } from '@pool/contract/base/messages'
import { cents } from '@pool/contract/base/money'
import * as validation from '@pool/contract/base/validation'
import { invest, listInvestments } from '@pool/contract/money/investments'
import { listPlans, listPlanVersions, type PlanOffer } from '@pool/contract/money/planVersions'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'
import { openPlans } from '../../ledger/families/knownPlans.ts'
import { readPace, runwayOf } from '../../ledger/families/runway.ts'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { agreeOnPlan, ahead, newPlan, twoChiefs } from '../../testing/planVersions.ts'
import {
  balanceOf,
  codeOf,
  investorWith,
  type Person,
  type Product,
  secondProcess,
  startProduct,
} from '../../testing/product.ts'
import { contributeCapital } from '../reserve/contributeCapital.ts'
import { openInvestment } from './openInvestment.ts'
import { payMaturities } from './payMaturities.ts'

let product: Product
let chiefs: readonly [Person, Person]
beforeAll(async () => {
  product = await startProduct()
  chiefs = await twoChiefs(product)
})
afterAll(async () => {
  await expectWhole(product, /./)
  await product.close()
})

const ask = ({ id: userId, token }: Person, durationDays: number, amount = 100, more = {}) =>
  product.call(invest, { token, payload: { userId, amount, durationDays, ...more } })
const offerOf = async (days: number): Promise<PlanOffer | undefined> =>
  (await product.call(listPlans)).body.find(({ durationDays }) => durationDays === days)
const investmentsOf = async ({ id: userId, token }: Person) =>
  (await product.call(listInvestments, { token, params: { userId } })).body

/** Cents of the free reserve, and of the interest of its pace. */
const paceNow = async () => {
  const { interest, days } = await readPace(product.context.db)
  const free = Number(await poolBalance(product.context.db, 'reserve'))
  return { free, pace: { interest: Number(interest), days } }
}

test('a version that two people made is invested in', async () => {
  const investor = await investorWith(product, 200)
  expect(await ask(investor, 90)).toMatchObject({
    status: 400,
    narration: validation.durationInvalid,
    body: { code: 'validation', field: 'durationDays' },
  })
  const planId = await newPlan(product, chiefs)
  expect(await ask(investor, 90)).toMatchObject({
    status: 200,
    body: { amount: 100, interest: 12.5, durationDays: 90, status: 'ACTIVE' },
  })
  expect(await investmentsOf(investor)).toMatchObject([
    { durationDays: 90, rateBasisPoints: 1_250 },
  ])
  const { rows } = await product.database.pool.query(
    'SELECT plan_id FROM transactions WHERE user_id = $1 AND type = $2',
    [investor.id, 'investment'],
  )
  expect(rows).toEqual([{ plan_id: planId }])
})

test('an investment keeps its terms after a later version', async () => {
  const investor = await investorWith(product, 1_000)
  await newPlan(product, chiefs, { durationDays: 40, rateBasisPoints: 1_000 })
  const early = { ...product.context, config: { ...product.context.config, daySeconds: 0 } }
  const by = { id: investor.id, from: 'tests' }
  const first = { by, amount: cents(100_00n), durationDays: 40 }
  expect(await openInvestment(early, first)).toMatchObject({ interest: 10_00n })
  await newPlan(product, chiefs, { durationDays: 40, rateBasisPoints: 500 })
  expect((await ask(investor, 40)).body).toMatchObject({ interest: 5 })
  await payMaturities(product.context)
  expect(await balanceOf(product, investor)).toBe(910)
  expect((await investmentsOf(investor)).map(({ rateBasisPoints }) => rateBasisPoints)).toEqual([
    500, 1_000,
  ])
})

test('a plan takes amounts within its bounds alone', async () => {
  const investor = await investorWith(product, 1_000)
  await newPlan(product, chiefs, { durationDays: 41, least: 50, most: 200 })
  const codes = []
  for (const amount of [49.99, 50, 200, 200.01]) codes.push(codeOf(await ask(investor, 41, amount)))
  expect(codes).toEqual(['belowLeast', undefined, undefined, 'aboveMost'])
  expect((await ask(investor, 41, 49.99)).narration).toMatch('$50.00')
})

test('a closed plan refuses with its reason, then opens again', async () => {
  const investor = await investorWith(product, 1_000)
  await newPlan(product, chiefs, { durationDays: 42, isOpen: false })
  expect(await offerOf(42)).toMatchObject({ closed: 'closed' })
  expect(await ask(investor, 42)).toMatchObject({
    status: 409,
    body: { code: 'planClosed', details: { reason: 'closed' } },
    narration: 'This plan is closed to new investments.',
  })
  await newPlan(product, chiefs, { durationDays: 42 })
  expect(await offerOf(42)).toMatchObject({ closed: null })
  expect((await ask(investor, 42)).status).toBe(200)
})

test('terms that were shown are those invested by, or none', async () => {
  const investor = await investorWith(product, 1_000)
  const shown = await newPlan(product, chiefs, { durationDays: 43 })
  expect((await ask(investor, 43, 100, { planId: shown })).status).toBe(200)
  const next = await newPlan(product, chiefs, { durationDays: 43, rateBasisPoints: 100 })
  expect(await ask(investor, 43, 100, { planId: shown })).toMatchObject({
    status: 409,
    body: { code: 'planChanged' },
  })
  expect((await ask(investor, 43, 100, { planId: next })).body).toMatchObject({ interest: 1 })
  expect((await ask(investor, 43)).body).toMatchObject({ interest: 1 })
  expect(await balanceOf(product, investor)).toBe(700)
})

test('a repeat has its first answer under any later version', async () => {
  const investor = await investorWith(product, 1_000)
  await newPlan(product, chiefs, { durationDays: 44 })
  const { id: userId, token } = investor
  const request = { token, payload: { userId, amount: 100, durationDays: 44 }, key: 'once' }
  const first = await product.call(invest, request)
  expect(first.body).toMatchObject({ interest: 12.5 })
  await newPlan(product, chiefs, { durationDays: 44, rateBasisPoints: 100, isOpen: false })
  expect(await product.call(invest, request)).toEqual(first)
  expect(await balanceOf(product, investor)).toBe(900)
})

test('every node changes to a version at its moment', async () => {
  const elsewhere = await secondProcess(product)
  const investors = await Promise.all(
    Array.from({ length: 4 }, () => investorWith(product, 40_000)),
  )
  await newPlan(product, chiefs, { durationDays: 45, rateBasisPoints: 1_000 })
  let isOver = false
  const answered: { interest: number }[] = []
  const client = async ({ id: userId, token }: Person, place: number) => {
    const app = place % 2 ? elsewhere : product.app
    for (let after = 0; after < 5; after += isOver ? 1 : 0) {
      const { statusCode, json } = await app.inject({
        method: 'POST',
        url: invest.path,
        headers: { authorization: `Bearer ${token}` },
        payload: { userId, amount: 50, durationDays: 45 },
      })
      expect(statusCode).toBe(200)
      answered.push(json().body)
    }
  }
  const clients = Promise.all(investors.map(client))
  await vi.waitFor(() => expect(answered.length).toBeGreaterThan(8), { timeout: 60_000 })
  const id = await newPlan(product, chiefs, { durationDays: 45, rateBasisPoints: 400 })
  isOver = true
  await clients
  await elsewhere.close()
  const { rows } = await product.database.pool.query(
    `SELECT plan_id = $1 AS is_new, rate_basis_points AS rate, interest::int AS interest, count(*)::int AS count,
      bool_and((created_at >= (SELECT starts_at FROM plans WHERE id = $1)) = (plan_id = $1)) AS in_time
    FROM transactions WHERE type = 'investment' AND duration_days = 45 GROUP BY 1, 2, 3 ORDER BY 1`,
    [id],
  )
  expect(rows).toEqual([
    { is_new: false, rate: 1_000, interest: 500, count: expect.any(Number), in_time: true },
    { is_new: true, rate: 400, interest: 200, count: expect.any(Number), in_time: true },
  ])
  expect(answered).toHaveLength(rows[0].count + rows[1].count)
})

test('64 at once fill a plan to its capacity exactly', async () => {
  const elsewhere = openLedger(product.database.pool)
  const investors = await Promise.all(
    Array.from({ length: 64 }, () => investorWith(product, 1_000)),
  )
  await newPlan(product, chiefs, { durationDays: 46, least: 10, capacity: 1_000 })
  const nodes = [
    product.context,
    { ...product.context, ledger: elsewhere, plans: openPlans(product.context.db) },
  ]
  // Each asks for 70 dollars, so 14 fit and 20 dollars are left.
  const results = await Promise.allSettled(
    investors.map(({ id }, place) =>
      openInvestment(nodes[place % 2] ?? product.context, {
        by: { id, from: 'tests' },
        amount: cents(70_00n),
        durationDays: 46,
      }),
    ),
  )
  const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  expect(refused).toHaveLength(50)
  for (const reason of refused)
    expect(reason).toMatchObject({ code: 'planNearlyFull', details: { left: 20 } })
  expect(await offerOf(46)).toMatchObject({ left: 20, closed: null })
  const [last] = investors
  if (!last) throw new Error('no investor')
  expect((await ask(last, 46, 20)).status).toBe(200)
  expect(await offerOf(46)).toMatchObject({ left: 0, closed: 'full' })
  expect(await ask(last, 46, 10)).toMatchObject({
    status: 409,
    body: { code: 'planClosed', details: { reason: 'full' } },
  })
  const { rows } = await product.database.pool.query(
    "SELECT sum(amount)::int AS cents FROM transactions WHERE type = 'investment' AND duration_days = 46",
  )
  expect(rows).toEqual([{ cents: 1_000_00 }])
})

test('a capacity that begins to count is exact at once', async () => {
  const elsewhere = openLedger(product.database.pool)
  const plans = openPlans(product.context.db)
  const nodes = [product.context, { ...product.context, ledger: elsewhere, plans }]
  const investors = await Promise.all(
    Array.from({ length: 16 }, () => investorWith(product, 100_000)),
  )
  const terms = { durationDays: 47, rateBasisPoints: 100, least: 10 }
  await newPlan(product, chiefs, terms)
  const open = (place: number) =>
    openInvestment(nodes[place % 2] ?? product.context, {
      by: { id: investors[place]?.id ?? '', from: 'tests' },
      amount: cents(50_00n),
      durationDays: 47,
    })
  let isFull = 0
  const clients = investors.map(async (_, place) => {
    for (;;)
      try {
        await open(place)
      } catch (error) {
        expect(error).toMatchObject({ code: 'planClosed', details: { reason: 'full' } })
        isFull += 1
        return
      }
  })
  await newPlan(product, chiefs, { ...terms, capacity: 3_000 })
  await Promise.all(clients)
  expect(isFull).toBe(16)
  const { rows } = await product.database.pool.query(
    `SELECT coalesce(sum(t.amount) FILTER (WHERE t.created_at < p.starts_at), 0)::int AS before, sum(t.amount)::int AS total
    FROM transactions AS t JOIN plans AS p ON p.duration_days = t.duration_days AND p.capacity IS NOT NULL
    WHERE t.type = 'investment' AND t.duration_days = 47`,
  )
  // Principal of before stays, and nothing more comes beyond the capacity.
  expect(rows[0].total).toBe(Math.max(rows[0].before, 3_000_00))
})

test('matured principal makes room in a full plan', async () => {
  const investor = await investorWith(product, 1_000)
  await newPlan(product, chiefs, { durationDays: 48, least: 100, capacity: 100 })
  const early = { ...product.context, config: { ...product.context.config, daySeconds: 0 } }
  await openInvestment(early, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(100_00n),
    durationDays: 48,
  })
  expect(await offerOf(48)).toMatchObject({ left: 0, closed: 'full' })
  expect(codeOf(await ask(investor, 48))).toBe('planClosed')
  await payMaturities(product.context)
  expect(await offerOf(48)).toMatchObject({ left: 100, closed: null })
  expect((await ask(investor, 48)).status).toBe(200)
})

test('a plan is full once what fits earns nothing', async () => {
  const investor = await investorWith(product, 1_000)
  const terms = { durationDays: 52, rateBasisPoints: 100, least: 0.01, capacity: 100.5 }
  await newPlan(product, chiefs, terms)
  expect((await ask(investor, 52, 100)).status).toBe(200)
  expect(await offerOf(52)).toMatchObject({ left: 0.5, closed: 'full' })
  expect(await ask(investor, 52, 2)).toMatchObject({
    status: 409,
    body: { code: 'planClosed', details: { reason: 'full' } },
  })
})

test('a plan closes below its least runway', async () => {
  const investor = await investorWith(product, 3_000_000)
  const { free, pace } = await paceNow()
  const terms = { durationDays: 61, rateBasisPoints: 1_000, least: 1 }
  // Twice as long as the reserve lasts now.
  const leastRunway = Math.ceil((2 * free * pace.days) / pace.interest)
  expect(leastRunway).toBeLessThanOrEqual(3_650)
  await newPlan(product, chiefs, { ...terms, leastRunway })
  expect(await offerOf(61)).toMatchObject({ closed: 'runway' })
  expect(await ask(investor, 61, 10)).toMatchObject({
    status: 409,
    narration: planIsClosed.runway,
    body: { code: 'planClosed', details: { reason: 'runway' } },
  })
  // Another plan asks for nothing.
  await newPlan(product, chiefs, { ...terms, durationDays: 62 })
  expect((await ask(investor, 62, 10)).status).toBe(200)
  await contributeCapital(product.context, {
    amount: cents(BigInt(Math.ceil(free * 3))),
    note: 'More',
    contributedBy: 'tests',
  })
  expect(await offerOf(61)).toMatchObject({ closed: null })
  expect((await ask(investor, 61, 1)).status).toBe(200)
  // The interest of one large investment counts before it is set aside.
  const later = await paceNow()
  const tooMuch = Math.ceil((later.free * 5) / 100)
  expect((await ask(investor, 61, tooMuch)).body).toMatchObject({ code: 'planClosed' })
})

test('many at once leave a plan its least runway', async () => {
  const { free, pace } = await paceNow()
  const room = 20_00n
  // The runway once about 20.00 more of interest are set aside.
  const leastRunway = Math.floor(
    ((free - Number(room)) * pace.days) / (pace.interest + Number(room)),
  )
  const terms = { durationDays: 63, rateBasisPoints: 1_000, least: 1 }
  await newPlan(product, chiefs, { ...terms, leastRunway })
  const crowd = await Promise.all(Array.from({ length: 40 }, () => investorWith(product, 10)))
  const answers = await Promise.all(crowd.map((each) => ask(each, 63, 10)))
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  for (const { status, body } of answers)
    if (status !== 200)
      expect(body).toMatchObject({ code: 'planClosed', details: { reason: 'runway' } })
  const after = await paceNow()
  expect(
    runwayOf(BigInt(after.free), { ...after.pace, interest: BigInt(after.pace.interest) }),
  ).toBeGreaterThanOrEqual(leastRunway)
})

test('a version without a capacity lifts the one before', async () => {
  const investor = await investorWith(product, 1_000)
  await newPlan(product, chiefs, { durationDays: 49, capacity: 100 })
  await ask(investor, 49)
  expect(codeOf(await ask(investor, 49))).toBe('planClosed')
  await newPlan(product, chiefs, { durationDays: 49 })
  expect((await ask(investor, 49)).status).toBe(200)
})

test('a plan closes while the reserve covers no least investment', async () => {
  const poor = await startProduct({}, { reserve: cents(0n) })
  try {
    const investor = await investorWith(poor, 1_000)
    const closings = async () => (await poor.call(listPlans)).body.map(({ closed }) => closed)
    expect(await closings()).toEqual(['reserve', 'reserve', 'reserve'])
    const { id: userId, token } = investor
    const payload = { userId, amount: 100, durationDays: 1 }
    expect(await poor.call(invest, { token, payload })).toMatchObject({
      status: 409,
      body: { code: 'reserveExhausted' },
    })
    const pair = await twoChiefs(poor)
    await newPlan(poor, pair)
    await contributeCapital(poor.context, {
      amount: cents(6_24n),
      note: 'for tests',
      contributedBy: 'tests',
    })
    // A least investment of 50 dollars earns 6.25 in the plan of 90 days.
    expect(await closings()).toEqual([null, null, null, 'reserve'])
    await contributeCapital(poor.context, {
      amount: cents(1n),
      note: 'for tests',
      contributedBy: 'tests',
    })
    expect(await closings()).toEqual([null, null, null, null])
    const { body } = await poor.call(listPlanVersions, { token: pair[0].token })
    expect(body.map(({ closed, atWork }) => [closed, atWork])).toEqual(
      Array.from({ length: 4 }, () => [null, 0]),
    )
    expect(
      (await poor.call(invest, { token, payload: { ...payload, amount: 50, durationDays: 90 } }))
        .status,
    ).toBe(200)
    expect(await closings()).toEqual(Array.from({ length: 4 }, () => 'reserve'))
  } finally {
    await poor.close()
  }
})

test('an upcoming version changes nothing before its moment', async () => {
  const investor = await investorWith(product, 1_000)
  await newPlan(product, chiefs, { durationDays: 50 })
  await agreeOnPlan(product, chiefs, { durationDays: 50, isOpen: false, startsAt: ahead(600_000) })
  expect((await ask(investor, 50)).status).toBe(200)
  expect(await offerOf(50)).toMatchObject({ closed: null })
})

test('an investment by terms of another moment is named', async () => {
  const investor = await investorWith(product, 1_000)
  await newPlan(product, chiefs, { durationDays: 51 })
  await ask(investor, 51)
  const past = (text: string) =>
    product.database.superuser.query(`ALTER TABLE transactions DISABLE TRIGGER USER;
      UPDATE transactions SET ${text} WHERE user_id = '${investor.id}' AND type = 'investment';
      ALTER TABLE transactions ENABLE TRIGGER USER`)
  const named = async () => (await checkRowsAgainstTrail(product.context.db)).findings
  for (const [change, undo] of [
    ['rate_basis_points = 2500', 'rate_basis_points = 1250'],
    ['interest = interest + 1', 'interest = interest - 1'],
    [
      'plan_id = NULL',
      `plan_id = (SELECT id FROM plans WHERE duration_days = 51 AND starts_at <= now())`,
    ],
    ["created_at = created_at - interval '1 hour'", "created_at = created_at + interval '1 hour'"],
  ] as const) {
    await past(change)
    expect(await named()).toEqual([expect.stringMatching(/^Investment .* was opened by a version/)])
    await past(undo)
  }
  expect(await named()).toEqual([])
})

test("a stranger's investment is refused before its duration", async () => {
  const [investor, stranger] = [await investorWith(product, 200), await investorWith(product, 1)]
  expect(await ask({ ...investor, token: stranger.token }, 7)).toMatchObject({ status: 403 })
})
