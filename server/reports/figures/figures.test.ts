import { cents } from '@pool/contract/base/money'
import { Refusal } from '@pool/contract/base/refusals'
import { dayFromDate } from '@pool/contract/base/timestamp'
import { defaultPlans } from '@pool/contract/money/plans'
import { adminFigures, FIGURE_DAYS, userFigures } from '@pool/contract/reports/figures'
import fc from 'fast-check'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { markCompleted } from '../../money/claims/markCompleted.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { markSent } from '../../requests/transactions/markSent.ts'
import { rejectWithdrawal } from '../../requests/transactions/rejectWithdrawal.ts'
import { requestDeposit } from '../../requests/transactions/requestDeposit.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import {
  actAs,
  balanceOf,
  fund,
  investorWith,
  type Person,
  type Product,
  person,
  startProduct,
  testProduct,
} from '../../testing/product.ts'

const product = testProduct()
let admin: Person
beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
})
afterEach(() => {
  vi.useRealTimers()
})

const figuresOf = async ({ token }: Person) => (await product.call(userFigures, { token })).body
const figuresOfAll = async (of = product, { token }: Person = admin) =>
  (await of.call(adminFigures, { token })).body
const number = async (query: string, ...values: unknown[]): Promise<number> =>
  Number((await product.database.pool.query(query, values)).rows[0].number)
const total = (amounts: readonly number[]): number =>
  Math.round(amounts.reduce((sum, amount) => sum + amount * 100, 0)) / 100

const amount = fc.bigInt({ min: 1n, max: 150_00n }).map(cents)
const act = fc.oneof(
  fc.record({
    verb: fc.constantFrom(
      'fund' as const,
      'ask' as const,
      'withdraw' as const,
      'approve' as const,
      'complete' as const,
      'reject' as const,
    ),
    amount,
  }),
  fc.record({
    verb: fc.constant('invest' as const),
    amount,
    plan: fc.constantFrom(...defaultPlans),
    matures: fc.boolean(),
  }),
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

const carryOut = async (someone: Person, act: Act): Promise<unknown> => {
  const { context } = product
  const { amount } = act
  if (act.verb === 'invest') {
    const config = { ...context.config, daySeconds: act.matures ? 0 : 86_400 }
    await openInvestment(
      { ...context, config },
      { by: { id: someone.id, from: 'tests' }, amount, durationDays: act.plan.durationDays },
    )
    return payMaturities(context)
  }
  if (act.verb === 'fund') return fund(product, someone, amount)
  if (act.verb === 'ask')
    return requestDeposit(context.ledger, { by: { id: someone.id, from: 'tests' }, amount })
  const { transactionId } = await requestWithdrawal(context, {
    by: { id: someone.id, from: 'tests' },
    amount,
  })
  const by = actAs(admin)
  if (act.verb === 'approve' || act.verb === 'complete')
    await approveWithdrawal(context, { transactionId, userId: someone.id, by })
  if (act.verb === 'complete') {
    await markSent(context, {
      transactionId,
      networkName: 'Bitcoin',
      evidence: 'ab'.repeat(32),
      by,
    })
    await markCompleted(context, { transactionId, by })
  }
  if (act.verb === 'reject')
    return rejectWithdrawal(context, { transactionId, by: actAs(admin), reason: 'no' })
  return undefined
}

const active = (column: 'principal' | 'interest') =>
  `SELECT coalesce(sum(${column}), 0) / 100.0 AS number FROM investments WHERE status = 'ACTIVE' AND user_id = $1`

test('today’s figures equal the ledger after any operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
      const someone = await investorWith(product, 100)
      for (const each of acts) {
        await carryOut(someone, each).catch((error) => {
          if (!(error instanceof Refusal)) throw error
        })
      }
      const { totals, interest, ...locked } = await figuresOf(someone)
      expect(locked).toEqual({
        invested: await number(active('principal'), someone.id),
        interestToCome: await number(active('interest'), someone.id),
        onTheWay: await number(
          "SELECT coalesce(sum(amount), 0) / 100.0 AS number FROM transactions WHERE type = 'withdrawal' AND status IN ('APPROVED', 'PROCESSING') AND user_id = $1",
          someone.id,
        ),
        held: await number(
          "SELECT coalesce(sum(amount), 0) / 100.0 AS number FROM transactions WHERE type = 'withdrawal' AND status = 'PENDING' AND user_id = $1",
          someone.id,
        ),
        depositsToCome: await number(
          "SELECT coalesce(sum(amount), 0) / 100.0 AS number FROM transactions WHERE type = 'deposit' AND status = 'PENDING' AND user_id = $1",
          someone.id,
        ),
      })
      const balance = (await balanceOf(product, someone)) as number
      expect(totals).toEqual([
        {
          day: dayFromDate(new Date()),
          total: total([balance, locked.invested, locked.held, locked.onTheWay]),
        },
      ])
      expect(interest).toHaveLength(12)
      const earned = await number(
        `SELECT coalesce(sum(t.amount - i.principal), 0) / 100.0 AS number
         FROM transactions AS t JOIN investments AS i ON i.id = t.investment_id WHERE t.type = 'payout' AND t.user_id = $1`,
        someone.id,
      )
      expect(total(interest.map(({ amount }) => amount))).toBe(earned)
      expect(interest.at(-1)?.amount).toBe(earned)

      const { days, onTheWay } = await figuresOfAll()
      expect(onTheWay).toBe(
        await number("SELECT balance / 100.0 AS number FROM accounts WHERE kind = 'outgoing'"),
      )
      const today = days.at(-1)
      const decided =
        'SELECT sum(amount) / 100.0 AS number FROM transactions WHERE is_approved(type, status) AND type = $1'
      expect(today).toEqual({
        day: dayFromDate(new Date()),
        deposits: await number(decided, 'deposit'),
        withdrawals: await number(decided, 'withdrawal'),
        atWork: await number(
          "SELECT sum(balance) / 100.0 AS number FROM accounts WHERE kind = 'invested'",
        ),
      })
    }),
    { numRuns: 40 },
  )
})

const DAY_MS = 86_400_000
const noon = (daysAgo: number): Date =>
  new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - daysAgo * DAY_MS + DAY_MS / 2)
const dayAgo = (daysAgo: number) => dayFromDate(noon(daysAgo))

/**
 * A past event `ago` days back. Its decision or maturity follows `later` days on, unless in the
 * future.
 */
const past = fc.record({
  type: fc.constantFrom('deposit' as const, 'withdrawal' as const, 'investment' as const),
  status: fc.constantFrom('PENDING', 'APPROVED', 'REJECTED', 'EXPIRED'),
  ago: fc.nat({ max: 120 }),
  later: fc.nat({ max: 40 }),
  amount: fc.integer({ min: 1, max: 100_00 }),
  interest: fc.integer({ min: 0, max: 5_00 }),
})
type Past = typeof past extends fc.Arbitrary<infer T> ? T : never
type Change = {
  readonly ago: number
  readonly total?: number
  readonly atWork?: number
  readonly deposits?: number
  readonly withdrawals?: number
}

/** Writes the rows of an event, and returns its changes by day, in cents. */
const happened = async (
  of: Product,
  { id }: Person,
  { type, status: wanted, ago, later, amount, interest }: Past,
): Promise<Change[]> => {
  const decidedAgo = ago - later
  const status =
    decidedAgo < 0 ||
    (type === 'withdrawal' && wanted === 'EXPIRED') ||
    (type === 'deposit' && wanted === 'REJECTED')
      ? 'PENDING'
      : type === 'withdrawal' && wanted === 'APPROVED'
        ? 'COMPLETED'
        : wanted
  const { pool } = of.database
  const write = (
    kind: string,
    state: string,
    [money, made, changed]: [number, number, number],
    investmentId: string | null = null,
  ) => {
    const isPaid = kind === 'withdrawal' && state === 'COMPLETED'
    const sent = isPaid ? [noon(changed), 'seen', 'Bitcoin', 'x'] : [null, null, null, null]
    return of.database.superuser.query(
      `INSERT INTO transactions (id, user_id, type, amount, status, wallet_id, investment_id, created_at, updated_at,
         sent_at, sent_basis, sent_network, sent_evidence, completed_at, completed_basis)
       VALUES ($1, $2, $3, $4, $5, (SELECT id FROM wallets WHERE $3 = 'deposit' LIMIT 1), $6, $7, $8, $9, $10, $11, $12, $9, $10)`,
      [newId(), id, kind, money, state, investmentId, noon(made), noon(changed), ...sent],
    )
  }
  if (type !== 'investment') {
    await write(type, status, [amount, ago, status === 'PENDING' ? ago : decidedAgo])
    if (type === 'deposit')
      return status === 'APPROVED' ? [{ ago: decidedAgo, total: amount, deposits: amount }] : []
    return status === 'COMPLETED' ? [{ ago: decidedAgo, total: -amount, withdrawals: amount }] : []
  }
  const investmentId = newId()
  const completed = decidedAgo >= 0
  await pool.query(
    `INSERT INTO transactions (id, user_id, type, status, amount, rate_basis_points, interest, duration_days, investment_status, matures_at, created_at, updated_at)
     VALUES ($1, $2, 'investment', 'COMPLETED', $3, 500, $4, 5, $5, $6, $7, $8)`,
    [
      investmentId,
      id,
      amount,
      interest,
      completed ? 'COMPLETED' : 'ACTIVE',
      noon(decidedAgo),
      noon(ago),
      noon(completed ? decidedAgo : ago),
    ],
  )
  const opened = { ago, atWork: amount }
  if (!completed) return [opened]
  await write('payout', 'COMPLETED', [amount + interest, decidedAgo, decidedAgo], investmentId)
  return [opened, { ago: decidedAgo, total: interest, atWork: -amount }]
}

test('figures of past days equal a plain calculation', async () => {
  const history = await startProduct()
  const staff = await person(history, ['ADMIN'])
  await investorWith(history, 1)
  const all: Change[] = [{ ago: 0, deposits: 1_00 }]
  await fc.assert(
    fc.asyncProperty(fc.array(past, { maxLength: 15 }), async (events) => {
      const someone = await person(history)
      // The first day, and enough to withdraw.
      const changes: Change[] = await happened(history, someone, {
        type: 'deposit',
        status: 'APPROVED',
        ago: 121,
        later: 0,
        amount: 2_000_00,
        interest: 0,
      })
      for (const event of events) changes.push(...(await happened(history, someone, event)))
      all.push(...changes)

      const sum = (
        of: readonly Change[],
        figure: Exclude<keyof Change, 'ago'>,
        when: (ago: number) => boolean,
      ): number =>
        of
          .filter(({ ago }) => when(ago))
          .reduce((money, change) => money + (change[figure] ?? 0), 0) / 100
      const days = Array.from({ length: FIGURE_DAYS }, (_, index) => FIGURE_DAYS - 1 - index)
      const { totals } = (await history.call(userFigures, { token: someone.token })).body
      expect(totals).toEqual(
        Array.from({ length: 122 }, (_, index) => 121 - index).map((day) => ({
          day: dayAgo(day),
          total: sum(changes, 'total', (ago) => ago >= day),
        })),
      )
      expect((await figuresOfAll(history, staff)).days).toEqual(
        days.map((day) => ({
          day: dayAgo(day),
          deposits: sum(all, 'deposits', (ago) => ago === day),
          withdrawals: sum(all, 'withdrawals', (ago) => ago === day),
          atWork: sum(all, 'atWork', (ago) => ago >= day),
        })),
      )
    }),
    { numRuns: 25 },
  )
  await history.close()
})

test('interest is listed by month, with empty months as zero', async () => {
  const someone = await person(product)
  const now = new Date()
  const monthsAgo = (count: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1))
  for (const [count, interest] of [
    [0, 1_00],
    [2, 2_50],
    [2, 25],
    [11, 7],
    [12, 9_99],
  ] as const) {
    await product.database.pool.query(
      `INSERT INTO transactions (id, user_id, type, status, amount, rate_basis_points, interest, duration_days, investment_status, matures_at, created_at, updated_at)
       VALUES ($1, $2, 'investment', 'COMPLETED', 10000, 500, $3, 5, 'COMPLETED', $4, $4, $4)`,
      [newId(), someone.id, interest, monthsAgo(count)],
    )
  }
  const expected = [0.07, 0, 0, 0, 0, 0, 0, 0, 0, 2.75, 0, 1]
  const { interest } = await figuresOf(someone)
  expect(interest).toEqual(
    expected.map((amount, index) => {
      const month = monthsAgo(11 - index)
      return { month: [month.getUTCFullYear(), month.getUTCMonth() + 1], amount }
    }),
  )
})

test('an investor reads only their own figures', async () => {
  const rich = await investorWith(product, 500)
  const poor = await person(product)
  expect((await figuresOf(rich)).totals.at(-1)?.total).toBe(500)
  expect(
    (await product.call(userFigures, { token: poor.token, query: { userId: rich.id } })).body,
  ).toEqual(await figuresOf(poor))
  expect((await figuresOf(poor)).totals).toEqual([])
})
