import { cents, OPEN_WITHDRAWALS_LIMIT } from '@pool/contract/base/money'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { fund, type Person, type Product, person, startProduct } from '../../testing/product.ts'
import { lockedBalances } from '../families/accounts.ts'
import type { Outcome } from '../families/movement.ts'
import type { Operation } from '../families/movements.ts'
import { openLedger } from './ledger.ts'
import { postGroup } from './postGroup.ts'

let product: Product
let investor: Person
beforeAll(async () => {
  product = await startProduct()
  investor = await person(product)
  await fund(product, investor, cents(1_000_00n))
})
afterAll(() => product.close())

/** The tests' database behind a stub that answers some groups. `n` counts groups from 1. */
const behind = (answer: (n: number, operations: readonly Operation[]) => unknown) => {
  let calls = 0
  const post = async (operations: readonly Operation[]) => {
    calls += 1
    return ((await answer(calls, operations)) ??
      postGroup(product.database.pool, operations)) as Promise<readonly Outcome[]>
  }
  return { ledger: openLedger(product.database.pool, { post }), calls: () => calls }
}
const failure = (code: string | undefined, message = 'as told') =>
  Object.assign(new Error(message), code === undefined ? {} : { code })
const ask = (ledger = product.context.ledger, amount = 1_00n, by = investor) =>
  requestWithdrawal(
    { ...product.context, ledger },
    { by: { id: by.id, from: 'tests' }, amount: cents(amount) },
  )
const available = () => product.context.ledger.available(investor.id)

describe('an error of the database', () => {
  test.each([
    ['57014', 'unavailable'],
    ['53100', 'unavailable'],
    ['53300', 'unavailable'],
    ['08006', 'outcomeUnknown'],
    ['57P01', 'outcomeUnknown'],
    ['58030', 'outcomeUnknown'],
    ['ECONNRESET', 'outcomeUnknown'],
    ['23514-and-more', 'outcomeUnknown'],
    ['more-23514', 'outcomeUnknown'],
    [undefined, 'outcomeUnknown'],
  ])('of code %s fails the whole group as %s', async (code, told) => {
    const { ledger, calls } = behind(() => Promise.reject(failure(code)))
    const results = await Promise.allSettled([ask(ledger), ask(ledger)])
    expect(results.map((result) => result.status === 'rejected' && result.reason)).toMatchObject([
      { code: told },
      { code: told },
    ])
    expect(calls()).toBe(1)
  })

  test.each(['ECONNREFUSED', 'ECONNRESET', '57P03', undefined])(
    'of code %s while connecting is reported as unavailable',
    async (code) => {
      const pool = Object.create(product.database.pool, {
        connect: { value: () => Promise.reject(failure(code)) },
      })
      await expect(ask(openLedger(pool))).rejects.toMatchObject({ code: 'unavailable' })
    },
  )

  test('without an answer is kept as the cause', async () => {
    const error = failure('ECONNRESET')
    await expect(ask(behind(() => Promise.reject(error)).ledger)).rejects.toMatchObject({
      cause: error,
    })
  })

  test('that is no error object leaves the outcome unknown', async () => {
    await expect(ask(behind(() => Promise.reject('nothing')).ledger)).rejects.toMatchObject({
      code: 'outcomeUnknown',
    })
  })

  // A code's class is its first two digits only.
  test.each(['23514', '42P08'])('of code %s is passed on unchanged', async (code) => {
    const error = failure(code)
    const { ledger, calls } = behind(() => Promise.reject(error))
    await expect(ask(ledger)).rejects.toBe(error)
    expect(calls()).toBe(1)
  })

  test.each(['40001', '40P01', '55P03'])('of code %s has the group posted again', async (code) => {
    const before = await available()
    const { ledger, calls } = behind((n) => (n <= 5 ? Promise.reject(failure(code)) : undefined))
    await Promise.all([ask(ledger), ask(ledger)])
    expect(calls()).toBe(6)
    expect(await available()).toBe(before - 2_00n)
  })

  test('is passed on after five retries', async () => {
    const { ledger, calls } = behind(() => Promise.reject(failure('40001')))
    await expect(ask(ledger)).rejects.toMatchObject({ code: '40001' })
    expect(calls()).toBe(6)
  })
})

test.each([
  ['while it reads is unavailable', 'LOCK TABLE accounts', 'unavailable'],
  ['while it writes is unknown', 'LOCK TABLE movements IN SHARE MODE', 'outcomeUnknown'],
])('a group that loses its connection %s', async (_, lock, told) => {
  const { superuser } = product.database
  const before = await available()
  const holder = await superuser.connect()
  try {
    await holder.query(`BEGIN; ${lock}`)
    const asked = expect(ask()).rejects.toMatchObject({ code: told, cause: { code: '57P01' } })
    await vi.waitFor(
      async () => {
        const { rowCount } = await superuser.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
        )
        expect(rowCount).toBe(1)
      },
      { timeout: 30_000 },
    )
    await asked
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
  expect(await available()).toBe(before)
})

test('a code that the contract lacks fails its operation alone', async () => {
  const outcomes = [{ refused: 'short' }, { id: crypto.randomUUID(), at: '' }]
  const { ledger } = behind(() => outcomes)
  const [refused, posted] = await Promise.allSettled([ask(ledger), ask(ledger)])
  expect(refused).toMatchObject({
    reason: { message: expect.stringMatching(/unknown code: {"refused":"short"}$/) },
  })
  expect(posted.status).toBe('fulfilled')
})

test('an operation missing from the answer has an unknown outcome', async () => {
  await expect(ask(behind(() => []).ledger)).rejects.toMatchObject({ code: 'outcomeUnknown' })
})

test('more than 512 operations go in several groups, in order', async () => {
  const sizes: number[] = []
  const { ledger } = behind((_, { length }) => {
    sizes.push(length)
  })
  const people = await Promise.all(
    Array.from({ length: 1_030 / OPEN_WITHDRAWALS_LIMIT + 1 }, () => person(product)),
  )
  await Promise.all(people.map((each) => fund(product, each, cents(1_00n))))
  const asker = (n: number) => people[Math.floor(n / OPEN_WITHDRAWALS_LIMIT)]
  await Promise.all(Array.from({ length: 1_030 }, (_, n) => ask(ledger, 1n, asker(n))))
  expect(sizes).toEqual([512, 512, 6])
  expect(ledger.waiting()).toBe(0)
})

test('operations behind a slow group are refused, unrecorded', async () => {
  const before = await available()
  const hangs = Promise.withResolvers<undefined>()
  const { ledger, calls } = behind(() => hangs.promise)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const first = ask(ledger, 5_00n)
    await vi.waitUntil(() => calls() === 1)
    // Operations that arrive while it hangs wait as long as the first.
    for (let turn = 0; turn < 2; turn += 1) {
      const late = [ask(ledger), ask(ledger)]
      await vi.waitUntil(() => ledger.waiting() === 2)
      vi.advanceTimersByTime(10_000)
      for (const one of late) await expect(one).rejects.toMatchObject({ code: 'busy' })
    }
    hangs.resolve(undefined)
    await first
    await vi.waitUntil(() => vi.getTimerCount() === 0)
  } finally {
    vi.useRealTimers()
  }
  expect(calls()).toBe(1)
  expect(await available()).toBe(before - 5_00n)
})

test('drain resolves only once the running group is answered', async () => {
  const hangs = Promise.withResolvers<undefined>()
  const { ledger, calls } = behind(() => hangs.promise)
  const order: string[] = []
  const asked = ask(ledger).then(() => order.push('answered'))
  await vi.waitUntil(() => calls() === 1)
  const drained = ledger.drain().then(() => order.push('drained'))
  await new Promise(setImmediate)
  expect(order).toEqual([])
  hangs.resolve(undefined)
  await Promise.all([asked, drained])
  expect(order).toEqual(['answered', 'drained'])
})

/** The operation of a withdrawal of one cent. */
const withdrawalOf = (userId: string) => ({
  movement: 'withdrawal_held' as const,
  fee: cents(0n),
  paidOn: undefined,
  by: { id: userId, from: 'tests' },
  id: crypto.randomUUID(),
  amount: cents(1n),
  description: '',
  destinationAddress: '',
  destinationNetwork: '',
})

test('a user without accounts has no money to move', async () => {
  const nobody = crypto.randomUUID()
  expect(await product.context.ledger.available(nobody)).toBe(0n)
  expect(await lockedBalances(product.context.db, nobody)).toEqual({ held: 0n, invested: 0n })
  const withdrawal = withdrawalOf(nobody)
  const posting = product.context.ledger.post(withdrawal)
  await expect(posting).rejects.toMatchObject({
    message: `withdrawal_held ${withdrawal.id} names an account that was never opened`,
  })
})

test('the observer hears of every group and outcome', async () => {
  const seen: string[] = []
  const observer = {
    group: (size: number) => seen.push(`group of ${size}`),
    outcome: (movement: string, outcome: string) => seen.push(`${movement} ${outcome}`),
  }
  const ledger = openLedger(product.database.pool, { waitingLimit: 3, observer })
  await Promise.allSettled([
    ask(ledger),
    ask(ledger, 9_999_999_00n),
    ledger.post(withdrawalOf(crypto.randomUUID())),
    ask(ledger),
  ])
  expect(seen).toEqual([
    'withdrawal_held busy',
    'group of 3',
    'withdrawal_held posted',
    'withdrawal_held insufficientFunds',
    'withdrawal_held internal',
  ])
  seen.length = 0
  const due = { ...product.context, ledger, config: { ...product.context.config, daySeconds: 0 } }
  for (let n = 0; n < 2; n += 1)
    await openInvestment(due, {
      by: { id: investor.id, from: 'tests' },
      amount: cents(10_00n),
      durationDays: 1,
    })
  await ledger.payMatured(10)
  expect(seen.filter((line) => line.startsWith('investment_matured'))).toEqual([
    'investment_matured posted',
    'investment_matured posted',
  ])
})
