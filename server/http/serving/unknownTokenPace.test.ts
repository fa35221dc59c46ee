import { randomBytes } from 'node:crypto'
import { READING_KEY } from '@pool/contract/accounts/readingKeys'
import { listTransactions } from '@pool/contract/requests/transactions'
import { beforeAll, expect, test, vi } from 'vitest'
import { hashOf } from '../../base/sessions/sessions.ts'
import { type Person, person, testProduct } from '../../testing/product.ts'
import { signSessionsAgain } from '../../testing/sessions.ts'
import { openPace } from './pace.ts'

const product = testProduct({ RATE_LIMITS: 'on' })
let investor: Person
let older: string
const unmarked = () => randomBytes(32).toString('base64url')
beforeAll(async () => {
  investor = await person(product)
  // A session as the release before starts it.
  const holder = await person(product)
  older = unmarked()
  const { superuser } = product.database
  await superuser.query("UPDATE sessions SET token_hash = decode($2, 'hex') WHERE user_id = $1", [
    holder.id,
    hashOf(older),
  ])
  await signSessionsAgain(superuser, product.context.keys, holder.id)
})

const read = async (token: string, remoteAddress: string) =>
  (
    await product.app.inject({
      url: listTransactions.path,
      headers: { authorization: `Bearer ${token}` },
      remoteAddress,
    })
  ).statusCode
/** The answers to calls, and the number of queries that they cost. */
const costOf = async (calls: () => Promise<number[]>) => {
  const query = vi.spyOn(product.database.pool, 'query')
  const answers = await calls()
  const queries = query.mock.calls.length
  query.mockRestore()
  return { answers, queries }
}

test('made-up older tokens of a range soon cost nothing', async () => {
  const ip = '203.0.113.5'
  for (let call = 0; call < 70; call += 1) expect(await read(older, ip)).toBe(200)
  const tokens = Array.from({ length: 200 }, (_, n) => (n % 2 ? READING_KEY : '') + unmarked())
  const { answers, queries } = await costOf(() => Promise.all(tokens.map((each) => read(each, ip))))
  const looked = answers.filter((status) => status === 401).length
  expect(looked).toBeGreaterThanOrEqual(60)
  expect(answers.filter((status) => status === 429)).toHaveLength(200 - looked)
  expect(answers).toContain(429)
  expect(queries).toBeLessThanOrEqual(looked)
  // A marked token of the range works on, and an older one elsewhere.
  expect(await read(investor.token, ip)).toBe(200)
  expect(await read(older, '203.0.113.6')).toBe(200)
})

test('a pace forgets the oldest above its bound', () => {
  const pace = openPace({ calls: { atOnce: 1, everyMs: 60_000 } }, () => 0)
  for (let n = 0; n < 100_001; n += 1) pace.secondsToWait({ userId: `range ${n}`, bytes: 0 })
  expect(pace.kept()).toBe(100_000)
  expect(pace.secondsToWait({ userId: 'range 100000', bytes: 0 })).toBeGreaterThan(0)
  expect(pace.secondsToWait({ userId: 'range 0', bytes: 0 })).toBe(0)
})
