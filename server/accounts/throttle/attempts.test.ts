import { login } from '@pool/contract/accounts/users'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  PASSWORD,
  type Person,
  type Product,
  person,
  secondProcess,
  startProduct,
  testProduct,
} from '../../testing/product.ts'
import { admitAttempt, attemptNotMade } from './attempts.ts'
import { forgetOldCounts } from './counts.ts'

const product = testProduct({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
let victim: Person
beforeEach(async () => {
  await product.database.superuser.query('TRUNCATE login_throttles')
  victim = await person(product)
})

type Attempt = {
  readonly email?: string
  readonly password?: string
  readonly from: string
  /** The node that is asked. */
  readonly app?: Product['app']
}

const attempt = async ({
  email = victim.email,
  password = 'a wrong guess',
  from,
  app = product.app,
}: Attempt) => {
  const answer = await app.inject({
    method: 'POST',
    url: login.path,
    headers: { 'x-forwarded-for': from },
    payload: { username: email, password },
  })
  return {
    status: answer.statusCode,
    ...answer.json<{ narration: string; body: { code?: string } }>(),
  }
}
const statuses = async (
  count: number,
  of: (n: number) => Attempt,
): Promise<Record<number, number>> => {
  const tally: Record<number, number> = {}
  for (let n = 0; n < count; n += 1) {
    const { status } = await attempt(of(n))
    tally[status] = (tally[status] ?? 0) + 1
  }
  return tally
}
const letTimePass = (interval: string) =>
  product.database.pool.query(
    'UPDATE login_throttles SET last_at = last_at - $1::interval, succeeded_at = succeeded_at - $1::interval',
    [interval],
  )

const somewhere = (n: number): string => `203.0.${n >> 8}.${n & 255}`
const HOME = '198.51.100.7'

describe('guesses', () => {
  test('from one IP must wait after ten', async () => {
    expect(await statuses(12, () => ({ from: HOME }))).toEqual({ 401: 10, 429: 2 })
    const answer = await attempt({ from: HOME })
    expect(answer).toMatchObject({
      successful: false,
      narration: 'Too many attempts. Please try again in 1 min.',
      body: { code: 'tooManySignIns' },
    })
  })

  test('from new IPs on one user wait after twenty', async () => {
    expect(await statuses(60, (n) => ({ from: somewhere(n) }))).toEqual({ 401: 20, 429: 40 })
  })

  test('from one IP on new users wait after fifty', async () => {
    expect(await statuses(70, (n) => ({ from: HOME, email: `nobody-${n}@example.com` }))).toEqual({
      401: 50,
      429: 20,
    })
  })

  test('at the same moment are counted one by one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => attempt({ from: somewhere(n) })),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(20)
  })

  test('are counted together by every node', async () => {
    const elsewhere = await secondProcess(product)
    const attempts = []
    // One address has eight at once.
    for (let wave = 0; wave < 3; wave += 1)
      attempts.push(
        ...(await Promise.all(
          Array.from({ length: 8 }, (_, n) =>
            attempt({ from: HOME, app: n % 2 ? elsewhere : product.app }),
          ),
        )),
      )
    const refused = attempts.filter(({ status }) => status === 429)
    expect([attempts.length - refused.length, refused.length]).toEqual([10, 14])
    expect(await attempt({ from: HOME, app: elsewhere })).toMatchObject({ status: 429 })
    await elsewhere.close()
  })

  test('counted in the future cause no wait but are kept', async () => {
    await statuses(12, () => ({ from: HOME }))
    await letTimePass('-1 day')
    expect(await statuses(3, () => ({ from: HOME }))).toEqual({ 401: 1, 429: 2 })
    await letTimePass('1 hour')
    expect((await attempt({ from: HOME, password: PASSWORD })).status).toBe(200)
  })

  test('are checked at most a hundred times in a day', async () => {
    await attempt({ from: HOME, password: PASSWORD })
    const { db } = product.context
    let evaluated = 0
    // 28 hours are 100,000 guesses at one a second. Refused ones change nothing, so few stand for
    // all.
    for (let minute = 0; minute < 28 * 60; minute += 4) {
      for (const ip of [HOME, somewhere(minute)])
        if ((await admitAttempt(db, { username: victim.email, ip })) === 0) evaluated += 1
      await letTimePass('4 minutes')
    }
    expect(evaluated).toBeGreaterThan(30)
    expect(evaluated).toBeLessThanOrEqual(100)
  })

  test('on an unknown email are answered the same', async () => {
    const known: unknown[] = []
    const unknown: unknown[] = []
    for (let n = 0; n < 13; n += 1) {
      known.push(await attempt({ from: HOME }))
      unknown.push(await attempt({ from: '198.51.100.8', email: 'nobody@example.com' }))
    }
    expect(known).toEqual(unknown)
  })

  test('through one IPv6 network count as one IP', async () => {
    expect(await statuses(14, (n) => ({ from: `2001:db8:1:2::${(n + 1).toString(16)}` }))).toEqual({
      401: 10,
      429: 4,
    })
    expect((await attempt({ from: '2001:db8:1:3::1' })).status).toBe(401)
  })
})

describe('sign-ins of unknown names from one IPv6 subscriber', () => {
  const guess = (n: number): Attempt => ({
    from: `2001:db8:9:${n.toString(16)}::1`,
    email: `nobody-${n}@example.com`,
  })
  const entries = async () => {
    const { rows } = await product.database.pool.query(
      "SELECT action, count(*)::int AS count FROM audit_entries WHERE source LIKE '2001:db8:9:%' GROUP BY action ORDER BY action",
    )
    return rows
  }

  test('wait after a hundred and leave one entry a minute', async () => {
    expect(await statuses(140, guess)).toEqual({ 401: 100, 429: 40 })
    const refused = { action: 'session.refused', count: 100 }
    expect(await entries()).toEqual([refused, { action: 'session.throttled', count: 1 }])
    expect((await attempt({ from: '2001:db8:a::1', email: 'nobody@example.com' })).status).toBe(401)
    await product.database.pool.query(
      "UPDATE login_throttles SET last_at = last_at - interval '61 seconds' WHERE failures = 1",
    )
    expect(await statuses(40, guess)).toEqual({ 429: 40 })
    expect(await entries()).toEqual([refused, { action: 'session.throttled', count: 2 }])
  })

  test('do not hold up an owner who is known there', async () => {
    const home = '2001:db8:9:7::1'
    expect((await attempt({ from: home, password: PASSWORD })).status).toBe(200)
    expect(await statuses(120, (n) => guess(n + 500))).toEqual({ 401: 100, 429: 20 })
    expect((await attempt({ from: home, password: PASSWORD })).status).toBe(200)
  })
})

describe('the owner', () => {
  test('never waits at a known IP because of others', async () => {
    await attempt({ from: HOME, password: PASSWORD })
    expect(await statuses(40, (n) => ({ from: somewhere(n) }))).toEqual({ 401: 20, 429: 20 })
    await statuses(60, (n) => ({ from: HOME, email: `other-${n}@example.com` }))
    expect((await attempt({ from: HOME, password: PASSWORD })).status).toBe(200)
  })

  test('signs in at a new IP after the wait', async () => {
    await statuses(25, (n) => ({ from: somewhere(n) }))
    expect((await attempt({ from: HOME, password: PASSWORD })).status).toBe(429)
    await letTimePass('1 minute')
    expect((await attempt({ from: HOME, password: PASSWORD })).status).toBe(200)
    expect((await attempt({ from: somewhere(99) })).status).toBe(429)
    expect((await attempt({ from: HOME, password: PASSWORD })).status).toBe(200)
  })

  test('does not wait longer because of refused attempts', async () => {
    await statuses(200, (n) => ({ from: somewhere(n) }))
    await letTimePass('1 minute')
    expect((await attempt({ from: HOME, password: PASSWORD })).status).toBe(200)
  })

  test('starts a new count after each success', async () => {
    for (let round = 0; round < 5; round += 1) {
      expect(await statuses(9, () => ({ from: HOME }))).toEqual({ 401: 9 })
      expect((await attempt({ from: HOME, password: PASSWORD })).status).toBe(200)
    }
  })

  test('is unknown again at an IP after 90 days', async () => {
    await attempt({ from: HOME, password: PASSWORD })
    await letTimePass('91 days')
    await statuses(21, (n) => ({ from: somewhere(n) }))
    expect((await attempt({ from: HOME, password: PASSWORD })).status).toBe(429)
  })
})

test('an attempt that is not made delays no other', async () => {
  const { db } = product.context
  const mine = { username: victim.email, ip: '2001:db8:1:2::3' }
  await statuses(10, () => ({ from: mine.ip }))
  await letTimePass('1 minute')
  expect([await admitAttempt(db, mine), await admitAttempt(db, mine)]).toEqual([0, 2])
  await attemptNotMade(db, mine)
  expect([await admitAttempt(db, mine), await admitAttempt(db, mine)]).toEqual([0, 2])
})

test('a refused attempt never checks the password', async () => {
  await statuses(10, () => ({ from: HOME }))
  // An unreadable hash makes any check fail.
  await product.database.pool.query("UPDATE users SET password_hash = 'unreadable' WHERE id = $1", [
    victim.id,
  ])
  expect((await attempt({ from: HOME, password: PASSWORD })).status).toBe(429)
})

test('counts hold no names and are bounded', async () => {
  await statuses(3, (n) => ({ from: somewhere(n) }))
  await attempt({ from: HOME, password: PASSWORD })
  const { rows } = await product.database.pool.query('SELECT key::text FROM login_throttles')
  expect(JSON.stringify(rows)).not.toContain(victim.email)
  expect(await forgetOldCounts(product.context.db)).toBe(0)
  await letTimePass('25 hours')
  expect(await forgetOldCounts(product.context.db)).toBe(8)
  expect(
    (
      await product.database.pool.query(
        'SELECT FROM login_throttles WHERE succeeded_at IS NOT NULL',
      )
    ).rowCount,
  ).toBe(1)

  await statuses(15, (n) => ({ from: somewhere(n) }))
  await forgetOldCounts(product.context.db, 4)
  expect((await product.database.pool.query('SELECT FROM login_throttles')).rowCount).toBe(4)
  expect(
    (
      await product.database.pool.query(
        'SELECT FROM login_throttles WHERE succeeded_at IS NOT NULL',
      )
    ).rowCount,
  ).toBe(1)
})

test('nothing is counted without rate limits', async () => {
  const open = await startProduct({ RATE_LIMITS: 'off' })
  for (let n = 0; n < 25; n += 1) {
    const answer = await open.call(login, {
      payload: { username: 'victim@example.com', password: 'a wrong guess' },
    })
    expect(answer.status).toBe(401)
  }
  expect((await open.database.pool.query('SELECT FROM login_throttles')).rowCount).toBe(0)
  await open.close()
})

test('a forwarded IP counts only from trusted proxies', async () => {
  const direct = await startProduct({ RATE_LIMITS: 'on' })
  const tally: number[] = []
  for (let n = 0; n < 11; n += 1) {
    const { statusCode } = await direct.app.inject({
      method: 'POST',
      url: login.path,
      headers: { 'x-forwarded-for': somewhere(n) },
      payload: { username: 'victim@example.com', password: 'a wrong guess' },
    })
    tally.push(statusCode)
  }
  expect(tally.at(-1)).toBe(429)
  await direct.close()
})
