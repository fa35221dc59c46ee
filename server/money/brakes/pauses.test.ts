import { invest } from '@pool/contract/money/investments'
import { listPauses, pause, pauseNames, resume } from '@pool/contract/money/pauses'
import { listAudit } from '@pool/contract/reports/audit'
import { approve, confirm } from '@pool/contract/requests/decisions'
import { cancel, deposit, withdraw } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import { beforeEach, describe, expect, test } from 'vitest'
import { checkLedger } from '../../ledger/check/check.ts'
import { expireDeposits } from '../../requests/transactions/expireDeposits.ts'
import {
  investorWith,
  type Person,
  person,
  rewoundProduct,
  secondProcess,
  wallets,
} from '../../testing/product.ts'
import { payMaturities } from '../investments/payMaturities.ts'

const product = rewoundProduct({ DAY_SECONDS: '1' })
let chief: Person
let admin: Person
let investor: Person

beforeEach(async () => {
  chief = await person(product, ['SUPER_ADMIN'])
  admin = await person(product, ['ADMIN'])
  // Enough for all withdrawals until a pause is answered.
  investor = await investorWith(product, 100_000)
})

const reason = 'The bank is closed until Monday.'
const stop = (name: string, why = reason) =>
  product.call(pause, { token: chief.token, params: { name }, payload: { reason: why } })
const go = (name: string) => product.call(resume, { token: chief.token, params: { name } })
const calls = {
  deposits: (key?: string, { id, token } = investor) =>
    product.call(deposit, { token, payload: { userId: id, amount: 20 }, ...(key && { key }) }),
  withdrawals: (key?: string, { id, token } = investor) =>
    product.call(withdraw, { token, payload: { userId: id, amount: 10 }, ...(key && { key }) }),
  investing: (key?: string, { id, token } = investor) =>
    product.call(invest, {
      token,
      payload: { userId: id, amount: 10, durationDays: 1 },
      ...(key && { key }),
    }),
}
const rows = async () =>
  (await product.database.pool.query('SELECT count(*)::int AS n FROM transactions')).rows[0]
    .n as number

describe.each(pauseNames)('paused %s', (name) => {
  test('are refused with the reason until resumed', async () => {
    expect(await stop(name)).toMatchObject({ status: 200, body: [{ name, reason }] })
    for (const other of pauseNames)
      expect([other, (await calls[other]()).status]).toEqual([other, other === name ? 503 : 200])
    const before = await rows()
    expect(await calls[name]()).toMatchObject({
      status: 503,
      body: { code: 'paused' },
      narration: expect.stringContaining(reason),
    })
    expect(await rows()).toBe(before)
    expect(await product.call(listPauses)).toMatchObject({
      status: 200,
      body: [{ name, reason, since: expect.any(Array) }],
    })
    expect(await go(name)).toMatchObject({ status: 200, body: [] })
    expect((await calls[name]()).status).toBe(200)
  })

  test('answer repeats and store no key of a refusal', async () => {
    const other = await investorWith(product, 1_000)
    const [first, others] = [await calls[name]('before'), await calls[name]('meanwhile', other)]
    await stop(name)
    expect(await calls[name]('before')).toEqual(first)
    const before = await rows()
    expect((await calls[name]('meanwhile')).status).toBe(503)
    await go(name)
    expect((await calls[name]('meanwhile')).status).toBe(200)
    expect(await rows()).toBe(before + 1)
    expect([await calls[name]('before'), await calls[name]('meanwhile', other)]).toEqual([
      first,
      others,
    ])
    expect(await rows()).toBe(before + 1)
    expect((await checkLedger(product.database.db)).firstMismatch).toBeUndefined()
  })
})

test('earlier requests are decided and paid during a pause', async () => {
  const asked = (await calls.deposits()).body
  const withdrawn = (await calls.withdrawals()).body
  await product.database.pool.query(
    'UPDATE pauses SET paused_at = now(), paused_by = $1, reason = $1',
    ['tests'],
  )
  await product.call(resume, { token: chief.token, params: { name: 'investing' } })
  await calls.investing()
  await stop('investing')
  const { token } = admin
  expect(
    (await product.call(confirm, { token, payload: { transactionId: asked.transactionId } }))
      .status,
  ).toBe(200)
  expect(
    (
      await product.call(approve, {
        token,
        payload: { transactionId: withdrawn.transactionId, userId: investor.id },
      })
    ).status,
  ).toBe(200)
  await product.database.pool.query(
    'SELECT pg_sleep(greatest(0, extract(epoch FROM max(matures_at) - now()))) FROM investments',
  )
  expect((await payMaturities(product.context)).matured).toBe(1)
})

test.each(pauseNames)('an answered pause of %s binds every node', async (name) => {
  const elsewhere = await secondProcess(product)
  await wallets(product, 1)
  const endpoint = { deposits: deposit, withdrawals: withdraw, investing: invest }[name]
  const payload = {
    userId: investor.id,
    amount: 10,
    ...(name === 'investing' && { durationDays: 1 }),
  }
  const endPending = async () => {
    await expireDeposits(product.context, 0)
    const { token } = investor
    const query = { status: 'PENDING', type: 'withdrawal', limit: '20' }
    const { body } = await product.call(listTransactions, { token, query })
    for (const { id } of body) await product.call(cancel, { token, params: { id }, payload: {} })
  }
  const send = async (app: typeof elsewhere) => {
    const headers = { authorization: `Bearer ${investor.token}` }
    const { statusCode } = await app.inject({
      method: 'POST',
      url: endpoint.path,
      headers,
      payload,
    })
    // Ends what is pending, since an investor may have only a few.
    if (statusCode === 409) await endPending()
    return statusCode
  }

  for (let round = 0; round < 3; round += 1) {
    let answered = false
    const late: number[] = []
    const early: number[] = []
    // Eight clients on each of two nodes call until each has called three times after the pause.
    const client = async (app: typeof elsewhere) => {
      for (let after = 0; after < 3; ) {
        const isLate = answered
        ;(isLate ? late : early).push(await send(app))
        if (isLate) after += 1
      }
    }
    const clients = Array.from({ length: 16 }, (_, n) => client(n % 2 ? elsewhere : product.app))
    while (!early.includes(200)) await send(product.app)
    expect((await stop(name)).status).toBe(200)
    const committed = await rows()
    answered = true
    await Promise.all(clients)
    expect([late.length, ...new Set(late)]).toEqual([48, 503])
    expect(await rows()).toBe(committed)
    await go(name)
  }
  await elsewhere.close()
})

test('a pause is recorded with its actor and reason', async () => {
  await stop('deposits')
  await stop('deposits', 'Longer than thought.')
  await go('deposits')
  await go('deposits')
  const { body } = await product.call(listAudit, {
    token: admin.token,
    query: { action: 'switch.paused,switch.resumed', limit: '10' },
  })
  const running = { paused: false }
  const first = { paused: true, reason }
  const longer = { paused: true, reason: 'Longer than thought.' }
  expect(body).toMatchObject([
    {
      action: 'switch.resumed',
      actorId: chief.id,
      subjectId: 'deposits',
      before: longer,
      after: running,
    },
    {
      action: 'switch.paused',
      actorId: chief.id,
      subjectId: 'deposits',
      before: first,
      after: longer,
      reason: longer.reason,
    },
    {
      action: 'switch.paused',
      actor: chief.email,
      subjectType: 'switch',
      before: running,
      after: first,
      reason,
    },
  ])
})

test.each([
  ['something unknown', 'maturities', reason],
  ['nothing', '', reason],
  ['without a reason', 'deposits', '  '],
  ['with too long a reason', 'deposits', 'x'.repeat(201)],
])('%s cannot be paused', async (_, name, why) => {
  const { status } = await stop(name, why)
  expect(status).toBe(400)
  expect((await product.call(listPauses)).body).toEqual([])
})

test('no writer makes up a pause or its moment', async () => {
  const { pool } = product.database
  const put = (at: string, name = 'withdrawals') =>
    pool.query(
      `UPDATE pauses SET (paused_at, paused_by, reason) = (${at}, 'tests', 'A test') WHERE name = $1`,
      [name],
    )
  const refused = { code: '23001' }
  await expect(
    pool.query(
      "INSERT INTO ended_pauses (name, began_at, ended_at) VALUES ('withdrawals', '2026-01-01', now())",
    ),
  ).rejects.toMatchObject(refused)
  await expect(put("now() - interval '90 days'")).rejects.toMatchObject(refused)
  await put('now()')
  for (const at of ["'2026-01-01'", 'now()']) await expect(put(at)).rejects.toMatchObject(refused)
  // Another reason leaves the moment as it is.
  await put('paused_at')
  const ended = 'SELECT count(*)::int AS count FROM ended_pauses'
  const { rows } = await pool.query(ended)
  await pool.query('UPDATE pauses SET (paused_at, paused_by, reason) = (NULL, NULL, NULL)')
  expect((await pool.query(ended)).rows[0].count).toBe(rows[0].count + 1)
})
