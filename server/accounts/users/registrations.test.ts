import { login, register } from '@pool/contract/accounts/users'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openLog } from '../../base/process/log.ts'
import { buildApp } from '../../operator/app.ts'
import { PASSWORD, type Product, startProduct } from '../../testing/product.ts'

/** A refused registration reveals that an email is taken, so their number is limited. */

let product: Product
let second: FastifyInstance
beforeAll(async () => {
  product = await startProduct({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
  second = await buildApp(product.context, openLog('silent'))
})
afterAll(async () => {
  await second.close()
  await product.close()
})
afterEach(() => product.database.superuser.query('TRUNCATE login_throttles'))

type RegistrationRequest = {
  readonly email?: string
  readonly from?: string
  readonly password?: string
  readonly app?: FastifyInstance
}

const ask = async ({
  email = `${crypto.randomUUID()}@example.com`,
  from = '203.0.113.1',
  password = PASSWORD,
  app = product.app,
}: RegistrationRequest) => {
  const answer = await app.inject({
    method: register.method,
    url: register.path,
    headers: { 'x-forwarded-for': from },
    payload: { username: email, password, detail: { firstName: 'New', lastName: 'Comer', email } },
  })
  const { narration, body } = answer.json<{ narration: string; body: { code?: string } }>()
  return { status: answer.statusCode, narration, code: body.code }
}
const codes = async (
  count: number,
  of: (n: number) => RegistrationRequest,
): Promise<Record<string, number>> => {
  const answers: Awaited<ReturnType<typeof ask>>[] = []
  // One IP has eight at once.
  while (answers.length < count) {
    const wave = Math.min(8, count - answers.length)
    const asked = Array.from({ length: wave }, (_, n) => ask(of(answers.length + n)))
    answers.push(...(await Promise.all(asked)))
  }
  const tally: Record<string, number> = {}
  for (const { status, code = String(status) } of answers) tally[code] = (tally[code] ?? 0) + 1
  return tally
}
const letTimePass = (interval: string) =>
  product.database.pool.query('UPDATE login_throttles SET last_at = last_at - $1::interval', [
    interval,
  ])

describe('registrations from one IP', () => {
  test('are limited to ten in an hour across processes', async () => {
    const from = '198.51.100.1'
    expect(await codes(16, (n) => ({ from, app: n % 2 ? second : product.app }))).toEqual({
      200: 10,
      tooManyRegistrations: 6,
    })
    expect(await ask({ from })).toMatchObject({
      status: 429,
      narration:
        'Many accounts were asked for over your internet connection. Nothing was recorded; please try again in 60 min.',
    })
    expect((await ask({ from: '198.51.100.2' })).status).toBe(200)
    await letTimePass('59 minutes')
    expect(await ask({ from })).toMatchObject({
      code: 'tooManyRegistrations',
      narration: expect.stringMatching(/in 1 min\.$/),
    })
    await letTimePass('1 minute')
    expect(await codes(12, (n) => ({ from, app: n % 2 ? second : product.app }))).toEqual({
      200: 10,
      tooManyRegistrations: 2,
    })
  })

  test('reveal at most ten taken emails an hour', async () => {
    const from = '198.51.100.3'
    const email = 'known@example.com'
    expect((await ask({ email, from: '198.51.100.4' })).status).toBe(200)
    expect(await codes(12, () => ({ email, from }))).toEqual({
      emailTaken: 10,
      tooManyRegistrations: 2,
    })
    const fresh = 'unknown@example.com'
    expect([
      (await ask({ email, from })).narration,
      (await ask({ email: fresh, from })).narration,
    ]).toEqual(Array.from({ length: 2 }, () => expect.stringMatching(/^Many accounts/)))
    expect(
      (await product.call(login, { payload: { username: fresh, password: PASSWORD } })).status,
    ).toBe(401)
  })

  test('above eight at once are busy and uncounted', async () => {
    const from = '198.51.100.9'
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask({ from })))
    const busy = answers.filter(({ code }) => code === 'busy')
    expect([busy.length, busy[0]?.status]).toEqual([4, 503])
    expect(await codes(3, () => ({ from, app: second }))).toEqual({
      200: 2,
      tooManyRegistrations: 1,
    })
  })

  test('are not counted when the form is invalid', async () => {
    const from = '198.51.100.5'
    expect(await codes(8, (n) => ({ from, password: n % 2 ? 'password' : '12345' }))).toEqual({
      validation: 8,
    })
    expect(await codes(11, () => ({ from, app: second }))).toEqual({
      200: 10,
      tooManyRegistrations: 1,
    })
  })

  test('count together within an IPv6 subscriber’s range', async () => {
    expect(await codes(12, (n) => ({ from: `2001:db8:7:${n}::${n}` }))).toEqual({
      200: 10,
      tooManyRegistrations: 2,
    })
    expect((await ask({ from: '2001:db8:8::1' })).status).toBe(200)
  })

  test('are limited to twenty a minute by a process', async () => {
    const from = '198.51.100.6'
    const inTurn = []
    for (let n = 0; n < 23; n += 1) inTurn.push((await ask({ from, password: '12345' })).code)
    expect(inTurn).toEqual([...Array(20).fill('validation'), ...Array(3).fill('tooManyRequests')])
    expect((await ask({ from: '198.51.100.7', password: '12345' })).code).toBe('validation')
  })

  test('are stored as a digest of the IP', async () => {
    await ask({ from: '198.51.100.8' })
    const { rows } = await product.database.pool.query(
      'SELECT length(key) AS bytes, failures, succeeded_at FROM login_throttles',
    )
    expect(rows).toEqual([{ bytes: 32, failures: 1, succeeded_at: null }])
  })

  test('are not counted without rate limits', async () => {
    const open = await startProduct({ RATE_LIMITS: 'off' })
    expect(await codes(12, () => ({ app: open.app }))).toEqual({ 200: 12 })
    await open.close()
  })
})
