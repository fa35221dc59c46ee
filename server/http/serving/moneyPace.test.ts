import { IDEMPOTENCY_HEADER } from '@pool/contract/base/endpoint'
import { invest } from '@pool/contract/money/investments'
import { confirm } from '@pool/contract/requests/decisions'
import { balance } from '@pool/contract/requests/transactions'
import { describe, expect, test } from 'vitest'
import { type Person, person, testProduct } from '../../testing/product.ts'
import { MONEY_PACE } from './moneyPace.ts'
import { openPace } from './pace.ts'

describe('a pace', () => {
  /** A pace and its clock, in seconds. */
  const started = () => {
    let seconds = 0
    const pace = openPace(MONEY_PACE, () => seconds * 1_000)
    const calls = (count: number, bytes = 0, times = 1) =>
      Array.from({ length: count }, () => pace.secondsToWait({ userId: 'ada', bytes, times }))
    const letPass = (more: number) => {
      seconds += more
    }
    return { pace, calls, letPass }
  }

  test('admits a burst, then one call in three seconds', () => {
    const { calls, letPass } = started()
    expect(calls(122)).toEqual([...Array(120).fill(0), 3, 3])
    letPass(2)
    expect(calls(1)).toEqual([1])
    letPass(1)
    expect(calls(2)).toEqual([0, 3])
    letPass(3_600)
    expect(calls(121)).toEqual([...Array(120).fill(0), 3])
  })

  test('admits 28,800 calls and 17 MB in a day', () => {
    const { calls, letPass } = started()
    let [admitted, bytes] = [0, 0]
    for (let second = 0; second < 86_400; second += 1) {
      const size = second % 2 ? 60_000 : 100
      if (calls(1, size)[0] === 0) [admitted, bytes] = [admitted + 1, bytes + size]
      letPass(1)
    }
    expect(admitted).toBeLessThan(28_800 + 121)
    expect(bytes).toBeLessThan(17_500_000)
  })

  test('counts long texts, and a tenth for staff', () => {
    const { calls } = started()
    expect(calls(3, 64 * 1_024)).toEqual([0, 0, 328])
    const staff = started()
    expect(staff.calls(1_201, 300, 10).filter((seconds) => seconds > 0)).toEqual([1])
  })

  test('holds for each user alone and is forgotten', () => {
    const { pace, calls, letPass } = started()
    calls(120)
    expect(pace.secondsToWait({ userId: 'bob', bytes: 0 })).toBe(0)
    for (let n = 0; n < 12_000; n += 1) pace.secondsToWait({ userId: `user ${n}`, bytes: 0 })
    expect(pace.kept()).toBe(12_002)
    letPass(361)
    calls(1)
    expect(pace.kept()).toBe(1)
  })

  test('forgets the oldest above its bound', () => {
    const pace = openPace({ calls: { atOnce: 1, everyMs: 60_000 } }, () => 0)
    const wait = (n: number) => pace.secondsToWait({ userId: `user ${n}`, bytes: 0 })
    for (let n = 0; n < 100_001; n += 1) wait(n)
    expect(pace.kept()).toBe(100_000)
    expect(wait(100_000)).toBeGreaterThan(0)
    expect(wait(0)).toBe(0)
  })
})

describe('money calls', () => {
  const product = testProduct({ RATE_LIMITS: 'on' })
  const ask = async ({ id, token }: Person, key = '') => {
    const answer = await product.app.inject({
      method: invest.method,
      url: invest.path,
      headers: { authorization: `Bearer ${token}`, ...(key && { [IDEMPOTENCY_HEADER]: key }) },
      payload: { userId: id, amount: 10_000, durationDays: 1 },
    })
    return { ...answer, code: answer.json<{ body: { code: string } }>().body.code }
  }

  test('of one member are paced, others are not', async () => {
    const [busy, other, admin] = [
      await person(product),
      await person(product),
      await person(product, ['ADMIN']),
    ]
    const codes = []
    for (let n = 0; n < 125; n += 1) codes.push((await ask(busy, `key-${n}`)).code)
    expect(codes.slice(0, 120)).toEqual(Array(120).fill('insufficientFunds'))
    expect(codes.at(-1)).toBe('tooManyMoneyCalls')
    const refused = await ask(busy)
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toMatch(/^[123]$/)
    expect(refused.json().narration).toMatch(/please try again in [123] s\.$/)
    const { rows } = await product.database.pool.query(
      'SELECT count(*)::int AS count FROM idempotency_keys WHERE actor_id = $1',
      [busy.id],
    )
    expect(rows[0].count).toBe(codes.filter((code) => code === 'insufficientFunds').length)

    const { token } = busy
    const read = await product.call(balance, { token, payload: { userId: busy.id } })
    expect(read.status).toBe(200)
    expect((await ask(other)).code).toBe('insufficientFunds')
    for (let n = 0; n < 130; n += 1) {
      const payload = { transactionId: crypto.randomUUID() }
      const answer = await product.call(confirm, { token: admin.token, payload })
      expect(answer.body).toMatchObject({ code: 'transactionNotFound' })
    }
  })
})
