import { cents } from '@pool/contract/base/money'
import { invest } from '@pool/contract/money/investments'
import {
  approve,
  confirm,
  reject,
  rejectByPayload,
  rejectByPut,
} from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startSession } from '../server/base/sessions/sessions.ts'
import { checkLedger, findingOf } from '../server/ledger/check/check.ts'
import { openLedger } from '../server/ledger/engine/ledger.ts'
import { openInvestment } from '../server/money/investments/openInvestment.ts'
import { payMaturities } from '../server/money/investments/payMaturities.ts'
import { openRandom } from '../server/operator/demo/random.ts'
import { expireDeposits } from '../server/requests/transactions/expireDeposits.ts'
import { requestDeposit } from '../server/requests/transactions/requestDeposit.ts'
import {
  balanceOf,
  fund,
  type Person,
  type Product,
  person,
  startProduct,
  wallets,
} from '../server/testing/product.ts'
import type { Answer } from '../server/testing/request.ts'
import { FULL, rounds } from '../server/testing/rounds.ts'

/**
 * Races callers of exclusive calls: a few times, or as often as named with FAULTS=full.
 * `server/ledger/engine/races.test.ts` races locks (docs/ledger.md, "Racing two ledgers").
 */

const LIMIT = { timeout: FULL ? 7_200_000 : 60_000 }
const SEED = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 1e9))
const random = openRandom(SEED).next
const below = (count: number) => Math.floor(random() * count)

type Signed = Person & { token: string }
let product: Product
let admins: [Signed, Signed]
let investor: Signed
beforeAll(async () => {
  // One person decides everything; other tests cover the limits.
  product = await startProduct(
    { SECOND_APPROVAL_ABOVE: '10000000', POOL_SECOND_APPROVAL_ABOVE: '1000000000' },
    { reserve: cents(1_000_000_00n) },
  )
  admins = [await person(product, ['ADMIN']), await person(product, ['ADMIN'])]
  investor = await another()
  await wallets(product, 1)
})
// Whole runs take longer than a session of staff may rest.
beforeEach(async () => {
  for (const each of [...admins, investor])
    each.token = await startSession(product.context, each.id)
})
afterEach(async () =>
  expect(findingOf(await checkLedger(product.context.db)), `seed ${SEED}`).toBeUndefined(),
)
afterAll(() => product.close())

/** At most 20 withdrawals of an investor may wait. */
const another = async (): Promise<Signed> => {
  const next = await person(product)
  await fund(product, next, cents(100_000_00n))
  return next
}
const idOf = ({ body }: Answer): string => (body as { transactionId: string }).transactionId
const ask = async (endpoint: typeof deposit | typeof withdraw, amount = 10): Promise<string> =>
  idOf(
    await product.call(endpoint, {
      token: investor.token,
      payload: { userId: investor.id, amount },
    }),
  )
const count = async (table: 'transfers' | 'transactions', condition: string): Promise<number> =>
  (
    await product.database.pool.query(
      `SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`,
    )
  ).rows[0].count
/** At most 20 deposits of an account may wait. */
const makeRoom = () => expireDeposits(product.context, 0)
const sequentially = async (times: number, round: (n: number) => Promise<void>) => {
  for (let n = 0; n < times; n += 1) await round(n)
}

// In short, server/requests/transactions/concurrency.test.ts proves this race and the next one.
test.runIf(FULL)('one of 64 withdrawals and investments gets the funds', LIMIT, async () => {
  const poor = await person(product)
  await wallets(product, 1)
  const { id: userId, token } = poor
  await sequentially(1_000, async (round) => {
    const { transactionId } = await requestDeposit(product.context.ledger, {
      by: { id: userId, from: 'tests' },
      amount: cents(10_00n),
    })
    await product.call(confirm, { token: admins[0].token, payload: { transactionId } })
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) =>
        (n + round) % 2 === 0
          ? product.call(withdraw, { token, payload: { userId, amount: 10 } })
          : product.call(invest, { token, payload: { userId, amount: 10, durationDays: 5 } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(63)
    expect(await balanceOf(product, poor)).toBe(0)
  })
})

test.runIf(FULL)('1,000 withdrawals rejected over three routes release once', LIMIT, async () => {
  const { token } = admins[0]
  const reason = 'Unclear destination'
  const released = await count('transfers', "movement = 'withdrawal_released'")
  const total = 1_000
  await sequentially(total, async () => {
    const before = await balanceOf(product, investor)
    const id = await ask(withdraw)
    const routes = [
      () => product.call(reject, { token, params: { id }, payload: { reason } }),
      () => product.call(rejectByPayload, { token, payload: { transactionId: id, reason } }),
      () => product.call(rejectByPut, { token, params: { id }, payload: { reason } }),
    ]
    // A client without a response retries over any of the routes.
    const again = Array.from({ length: below(4) }, () => routes[below(3)] ?? routes[0])
    const answers = await Promise.all([...routes, ...again].map((route) => route?.()))
    expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([200]))
    expect(await balanceOf(product, investor)).toBe(before)
  })
  expect((await count('transfers', "movement = 'withdrawal_released'")) - released).toBe(total)
})

test('10,000 repeated operations have one effect and one response', LIMIT, async () => {
  const total = rounds({ full: 10_000, short: 60 })
  let funded = 0
  const before = await count('transactions', 'true')
  await sequentially(total, async (n) => {
    if (n % 30 === 0) {
      await makeRoom()
      investor = await another()
      funded += 1
    }
    const { id: userId, token } = investor
    const endpoint = [deposit, withdraw, invest][n % 3] ?? deposit
    const send = (amount: number) =>
      product.call(endpoint, {
        token,
        payload: { userId, amount, durationDays: 1 },
        key: `race-${SEED}-${n}`,
      })
    const first = await Promise.all(Array.from({ length: 1 + below(5) }, () => send(10)))
    expect(new Set(first.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(first[0]?.status).toBe(200)
    expect((await send(11)).status).toBe(422)
  })
  expect((await count('transactions', 'true')) - before).toBe(total + funded)
})

test('2,000 transactions decided several ways at once have one winner', LIMIT, async () => {
  await sequentially(rounds({ full: 1_000, short: 20 }), async (n) => {
    if (n % 20 === 0) investor = await another()
    const before = Number(await balanceOf(product, investor))
    const transactionId = await ask(withdraw)
    const payload = { transactionId, userId: investor.id }
    const answers = await Promise.all([
      product.call(approve, { token: admins[0].token, payload }),
      product.call(approve, { token: admins[1].token, payload }),
      product.call(reject, {
        token: admins[1].token,
        params: { id: transactionId },
        payload: { reason: 'no' },
      }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await balanceOf(product, investor)).toBe(
      answers[2]?.status === 200 ? before : before - 10,
    )
  })
  await sequentially(rounds({ full: 1_000, short: 20 }), async () => {
    const before = Number(await balanceOf(product, investor))
    const transactionId = await ask(deposit)
    const [one, other, expired] = await Promise.all([
      product.call(confirm, { token: admins[0].token, payload: { transactionId } }),
      product.call(confirm, { token: admins[1].token, payload: { transactionId } }),
      expireDeposits(product.context, 0),
    ])
    const credited = [one, other].filter(({ status }) => status === 200).length
    expect([one.status, other.status].filter((status) => status === 409)).toHaveLength(2 - credited)
    expect(
      await count(
        'transactions',
        `id = '${transactionId}' AND status = '${credited === 1 ? 'APPROVED' : 'EXPIRED'}'`,
      ),
    ).toBe(1)
    // An unconfirmed deposit expires. Deposits of other tests may have waited, too.
    if (credited === 0) expect(expired).toBeGreaterThan(0)
    expect(await balanceOf(product, investor)).toBe(before + credited * 10)
  })
})

test('of two confirmations with one evidence, one is credited', LIMIT, async () => {
  await sequentially(rounds({ full: 1_000, short: 20 }), async () => {
    const before = Number(await balanceOf(product, investor))
    const evidence = crypto.randomUUID().replaceAll('-', '').repeat(2)
    const [one, other] = [await ask(deposit), await ask(deposit)]
    const answers = await Promise.all(
      [one, other, one].map((transactionId, n) =>
        product.call(confirm, {
          token: admins[n % 2]?.token ?? '',
          payload: { transactionId, evidence },
        }),
      ),
    )
    const confirmed = await count(
      'transactions',
      `id IN ('${one}', '${other}') AND status = 'APPROVED'`,
    )
    expect([confirmed, Number(await balanceOf(product, investor)) - before]).toEqual([1, 10])
    for (const { status } of answers) expect([200, 409]).toContain(status)
    await makeRoom()
  })
})

test('500 approvals with a wrong owner move nothing', LIMIT, async () => {
  const strangers = [await person(product), admins[0], admins[1]].map(({ id }) => id)
  const before = await count('transfers', "movement = 'withdrawal_approved'")
  investor = await another()
  const waiting = await Promise.all(Array.from({ length: 10 }, () => ask(withdraw)))
  await sequentially(rounds({ full: 500, short: 50 }), async (n) => {
    const userId = strangers[n] ?? crypto.randomUUID()
    const answer = await product.call(approve, {
      token: admins[n % 2]?.token ?? '',
      payload: { transactionId: waiting[n % 10], userId },
    })
    expect(answer).toMatchObject({ status: 409, body: { code: 'ownerMismatch' } })
  })
  expect(await count('transfers', "movement = 'withdrawal_approved'")).toBe(before)
})

test('50 parallel runs of maturities pay each investment once', LIMIT, async () => {
  const { db, ledger, config, plans } = product.context
  const due = { ledger, plans, config: { ...config, daySeconds: 0 } }
  const doors = [ledger, openLedger(product.database.pool)]
  await sequentially(rounds({ full: 20, short: 2 }), async () => {
    await payMaturities({ db, ledger })
    await Promise.all(
      Array.from({ length: 25 }, () =>
        openInvestment(due, {
          by: { id: investor.id, from: 'tests' },
          amount: cents(10_00n),
          durationDays: 1,
        }),
      ),
    )
    const runs = await Promise.all(
      Array.from({ length: 50 }, (_, n) => payMaturities({ db, ledger: doors[n % 2] ?? ledger })),
    )
    expect(runs.reduce((sum, { matured }) => sum + matured, 0)).toBe(25)
    expect(runs.reduce((sum, { paid }) => sum + paid, 0n)).toBe(25n * 10_40n)
  })
  const twice =
    'investment_id IN (SELECT investment_id FROM transactions GROUP BY investment_id, type HAVING count(*) > 1)'
  expect(await count('transactions', twice)).toBe(0)
})
