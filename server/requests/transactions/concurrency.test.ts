import type { Endpoint } from '@pool/contract/base/endpoint'
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
import { listTransactions } from '@pool/contract/requests/transactions'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { checkLedger } from '../../ledger/check/check.ts'
import {
  balanceOf,
  fund,
  investorWith,
  type Person,
  person,
  secondProcess,
  testProduct,
  wallets,
} from '../../testing/product.ts'
import type { Answer } from '../../testing/request.ts'

/**
 * These callers race through one ledger, which posts one group. Races between ledgers:
 * server/ledger/engine/races.test.ts and docs/ledger.md, "Racing two ledgers".
 */

const product = testProduct()
let admin: Person

beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
})
afterEach(async () => {
  const { firstDifference, firstMismatch } = await checkLedger(product.context.db)
  expect([firstDifference, firstMismatch]).toEqual([undefined, undefined])
})

const statuses = (answers: readonly Answer[]) => {
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  return {
    ok: count(200),
    conflict: count(409),
    unavailable: count(503),
    other: answers.length - count(200) - count(409) - count(503),
  }
}

const pendingWithdrawal = async (investor: Person, amount: number): Promise<string> => {
  const { body } = await product.call(withdraw, {
    token: investor.token,
    payload: { userId: investor.id, amount },
  })
  return body.transactionId
}

test('one of 50 parallel withdrawals and investments wins', async () => {
  for (let round = 0; round < 5; round += 1) {
    const investor = await investorWith(product, 100)
    const { id: userId, token } = investor
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0
          ? product.call(withdraw, { token, payload: { userId, amount: 100 } })
          : product.call(invest, { token, payload: { userId, amount: 100, durationDays: 5 } }),
      ),
    )
    expect(statuses(answers)).toEqual({ ok: 1, conflict: 49, unavailable: 0, other: 0 })
    expect(answers.find(({ status }) => status === 409)?.narration).toBe(
      'Amount cannot exceed your balance of $0.00',
    )
    expect(await balanceOf(product, investor)).toBe(0)
  }
})

test('10 of 50 parallel spends of $25 empty $250', async () => {
  const investor = await investorWith(product, 250)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      product.call(withdraw, {
        token: investor.token,
        payload: { userId: investor.id, amount: 25 },
      }),
    ),
  )
  expect(statuses(answers)).toEqual({ ok: 10, conflict: 40, unavailable: 0, other: 0 })
  expect(await balanceOf(product, investor)).toBe(0)
})

test('20 parallel confirmations of one deposit credit it once', async () => {
  const investor = await person(product)
  await wallets(product, 1)
  const requested = await product.call(deposit, {
    token: investor.token,
    payload: { userId: investor.id, amount: 250 },
  })
  const payload = { transactionId: requested.body.transactionId }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => product.call(confirm, { token: admin.token, payload })),
  )
  expect(statuses(answers)).toEqual({ ok: 1, conflict: 19, unavailable: 0, other: 0 })
  expect(answers.find(({ status }) => status === 409)?.narration).toBe(
    'This transaction was already approved.',
  )
  expect(await balanceOf(product, investor)).toBe(250)
})

test('20 parallel approvals of one withdrawal pay it once', async () => {
  const investor = await investorWith(product, 100)
  const payload = { transactionId: await pendingWithdrawal(investor, 60), userId: investor.id }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => product.call(approve, { token: admin.token, payload })),
  )
  expect(statuses(answers)).toEqual({ ok: 1, conflict: 19, unavailable: 0, other: 0 })
  expect(await balanceOf(product, investor)).toBe(40)
})

test('20 parallel rejections over three paths release once', async () => {
  const investor = await investorWith(product, 100)
  const id = await pendingWithdrawal(investor, 60)
  const reason = 'Unclear destination'
  const paths = [
    () => product.call(reject, { token: admin.token, params: { id }, payload: { reason } }),
    () =>
      product.call(rejectByPayload, { token: admin.token, payload: { transactionId: id, reason } }),
    () => product.call(rejectByPut, { token: admin.token, params: { id }, payload: { reason } }),
  ]
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => paths[index % 3]?.() as Promise<Answer>),
  )
  expect(statuses(answers)).toEqual({ ok: 20, conflict: 0, unavailable: 0, other: 0 })
  expect(await balanceOf(product, investor)).toBe(100)

  const other = await person(product, ['ADMIN'])
  const late = await product.call(reject, {
    token: other.token,
    params: { id },
    payload: { reason },
  })
  expect([late.status, late.narration]).toEqual([409, 'This transaction was already rejected.'])
})

/**
 * Makes one call through each of two processes, after both wait for this row. Returns their
 * statuses.
 */
const throughTwoProcesses = async (
  row: string,
  { method, path }: Endpoint,
  calls: readonly { token: string; payload: object }[],
) => {
  const elsewhere = await secondProcess(product)
  const holder = await product.database.pool.connect()
  try {
    await holder.query(`BEGIN; SELECT FROM ${row} FOR UPDATE`)
    const answers = calls.map(({ token, payload }, place) =>
      (place === 0 ? product.app : elsewhere).inject({
        method,
        url: path,
        headers: { authorization: `Bearer ${token}` },
        payload,
      }),
    )
    const waiting =
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    await vi.waitFor(async () => expect((await holder.query(waiting)).rowCount).toBe(2), {
      timeout: 30_000,
    })
    await holder.query('ROLLBACK')
    return (await Promise.all(answers)).map(({ statusCode }) => statusCode).sort()
  } finally {
    holder.release()
    await elsewhere.close()
  }
}

test('one of two processes rejects a withdrawal', async () => {
  const investor = await investorWith(product, 50)
  const transactionId = await pendingWithdrawal(investor, 20)
  const calls = [admin, await person(product, ['ADMIN'])].map(({ token }) => ({
    token,
    payload: { transactionId, reason: token },
  }))
  expect(
    await throughTwoProcesses(`transactions WHERE id = '${transactionId}'`, rejectByPayload, calls),
  ).toEqual([200, 409])
  expect(await balanceOf(product, investor)).toBe(50)
})

test('one of two processes withdraws the whole balance', async () => {
  const { id, token, ...rest } = await investorWith(product, 50)
  const call = { token, payload: { userId: id, amount: 50 } }
  expect(
    await throughTwoProcesses(
      `accounts WHERE owner_id = '${id}' AND kind = 'available'`,
      withdraw,
      [call, call],
    ),
  ).toEqual([200, 409])
  expect(await balanceOf(product, { id, token, ...rest })).toBe(0)
})

test('either an approval or a rejection at once wins', async () => {
  const investor = await investorWith(product, 1_000)
  for (let round = 0; round < 20; round += 1) {
    const before = (await balanceOf(product, investor)) as number
    const id = await pendingWithdrawal(investor, 10)
    const [approved, rejected] = await Promise.all([
      product.call(approve, {
        token: admin.token,
        payload: { transactionId: id, userId: investor.id },
      }),
      product.call(reject, { token: admin.token, params: { id }, payload: { reason: '' } }),
    ])
    expect([approved.status, rejected.status].sort()).toEqual([200, 409])
    expect(await balanceOf(product, investor)).toBe(approved.status === 200 ? before - 10 : before)
  }
})

test('ten of 30 parallel deposit requests get ten wallets', async () => {
  await takeAllWallets()
  const addresses = await wallets(product, 10)
  const investors = await Promise.all(Array.from({ length: 30 }, () => person(product)))
  const answers = await Promise.all(
    investors.map(({ id, token }) =>
      product.call(deposit, { token, payload: { userId: id, amount: 20 } }),
    ),
  )
  expect(statuses(answers)).toEqual({ ok: 10, conflict: 0, unavailable: 20, other: 0 })
  const shown = answers.filter(({ status }) => status === 200).map(({ body }) => body.address)
  expect(shown.sort()).toEqual(addresses.sort())

  const refused = investors.filter((_, index) => answers[index]?.status === 503)
  for (const { token } of refused)
    expect((await product.call(listTransactions, { token })).body).toEqual([])
})

test('parallel deposit requests of one investor show one address', async () => {
  await wallets(product, 5)
  const { id: userId, token } = await person(product)
  const answers = await Promise.all(
    Array.from({ length: 12 }, () =>
      product.call(deposit, { token, payload: { userId, amount: 20 } }),
    ),
  )
  expect(new Set(answers.map(({ body }) => body.address)).size).toBe(1)
  expect((await product.call(listTransactions, { token })).body).toHaveLength(12)
})

test('a money call repeated under its key has one effect', async () => {
  const investor = await investorWith(product, 100)
  const { id: userId, token } = investor
  const once = { token, payload: { userId, amount: 30 }, key: 'submit-1' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => product.call(withdraw, once)))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  expect(await balanceOf(product, investor)).toBe(70)

  const changed = await product.call(withdraw, { ...once, payload: { userId, amount: 31 } })
  expect([changed.status, changed.narration]).toEqual([
    422,
    'This Idempotency-Key was already used for a different request.',
  ])
  expect(await balanceOf(product, investor)).toBe(70)
})

test('a refusal under a key stays although the balance grows', async () => {
  const investor = await investorWith(product, 20)
  const request = {
    token: investor.token,
    payload: { userId: investor.id, amount: 30 },
    key: 'too-much',
  }
  const first = await product.call(withdraw, request)
  await fund(product, investor, cents(50_00n))
  expect(await product.call(withdraw, request)).toEqual(first)
  expect(first).toMatchObject({
    status: 409,
    narration: 'Amount cannot exceed your balance of $20.00',
  })
})

test('a deposit refused without wallet can be repeated later', async () => {
  await takeAllWallets()
  const { id: userId, token } = await person(product)
  const request = { token, payload: { userId, amount: 20 }, key: 'patient' }
  expect((await product.call(deposit, request)).status).toBe(503)
  await wallets(product, 1)
  const answer = await product.call(deposit, request)
  expect(answer.status).toBe(200)
  expect(await product.call(deposit, request)).toEqual(answer)
})

/** Assigns all free wallets, so that a test knows their number. */
const takeAllWallets = async () => {
  for (;;) {
    const { id, token } = await person(product)
    const { status } = await product.call(deposit, { token, payload: { userId: id, amount: 20 } })
    if (status === 503) return
  }
}
