import { get, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Endpoint } from '@pool/contract/base/endpoint'
import { listAllInvestments } from '@pool/contract/money/investments'
import { readStatement } from '@pool/contract/reports/statements'
import { listTransactions } from '@pool/contract/requests/transactions'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Person, type Product, person, startProduct } from '../../testing/product.ts'
import type { Answer } from '../../testing/request.ts'
import { TIMEOUTS } from '../process/timeouts.ts'

const ROWS = 50_000

/** A timeout that no reader exceeds. */
const NEVER = 3_600_000
const timeouts = { ...TIMEOUTS, portion: NEVER, yields: NEVER }

let product: Product
let admin: Person
/** Two investors, each with half of the rows. */
let investors: readonly [Person, Person]
let port: number
beforeAll(async () => {
  product = await startProduct({}, { timeouts })
  admin = await person(product, ['ADMIN'])
  investors = [await person(product), await person(product)]
  await product.database.pool.query(
    `INSERT INTO transactions (id, user_id, type, status, amount, rate_basis_points, interest, duration_days, investment_status, matures_at, created_at, updated_at)
    SELECT gen_random_uuid(), ($1::uuid[])[1 + n % 2], 'investment', 'COMPLETED', 500 + n, 500, 25, 5, 'ACTIVE', now(), '2026-01-01'::timestamptz + n / 3 * interval '1 second', now()
    FROM generate_series(1, ${ROWS}) AS n`,
    [investors.map(({ id }) => id)],
  )
  await product.database.superuser.query('ANALYZE')
  await product.app.listen({ host: '127.0.0.1', port: 0 })
  port = (product.app.server.address() as AddressInfo).port
})
afterAll(() => product.close())

const options = ({ path }: Endpoint, { token } = admin) => ({
  port,
  path,
  agent: false,
  headers: { authorization: `Bearer ${token}` },
})

/** Opens a response and reads only its beginning. */
const begin = (endpoint: Endpoint, who = admin, headers = {}): Promise<IncomingMessage> => {
  const { headers: own, ...rest } = options(endpoint, who)
  return new Promise((resolve, reject) =>
    get({ ...rest, headers: { ...own, ...headers } }, resolve).on('error', reject),
  )
}

const readToEnd = async (answer: IncomingMessage): Promise<{ parts: number; text: string }> => {
  let [text, parts] = ['', 0]
  for await (const part of answer.setEncoding('utf8')) {
    text += part
    parts += 1
  }
  return { parts, text }
}

const outcomeOf = (answer: IncomingMessage): Promise<string> =>
  readToEnd(answer).then(
    ({ text }) => `an answer of ${text.length} characters`,
    ({ message }: Error) => message,
  )

const inTransaction = async (): Promise<number> => {
  const { rows } = await product.database.pool.query(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
  )
  return rows[0].count
}
const freed = async () =>
  vi.waitFor(
    async () => {
      expect(await inTransaction()).toBe(0)
      expect(product.database.pool.idleCount).toBe(product.database.pool.totalCount)
    },
    { timeout: 30_000 },
  )

test.each([
  ['transactions', listTransactions],
  ['investments', listAllInvestments],
])('a streamed list of %s equals its pages', async (_, endpoint) => {
  const answer = await begin(endpoint)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'transfer-encoding': 'chunked',
  })
  let [turns, counting] = [0, true]
  const turn = () => {
    turns += 1
    if (counting) setImmediate(turn)
  }
  turn()
  const { parts, text } = await readToEnd(answer)
  counting = false
  // One part per batch, with a turn for other requests between them.
  expect(parts).toBeGreaterThan(ROWS / 1_000)
  expect(turns).toBeGreaterThan(ROWS / 1_000)

  const { body, ...envelope } = JSON.parse(text)
  expect(envelope).toEqual({ successful: true, narration: 'OK' })
  const paged: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Answer = await product.call(endpoint, {
      token: admin.token,
      query: { limit: '1000', ...(cursor && { cursor }) },
    })
    paged.push(...(page.body as unknown[]))
    cursor = page.page?.next ?? null
  }
  expect(body).toHaveLength(ROWS)
  expect(body).toEqual(paged)
})

test.each([['identity'], ['br'], ['gzip']])(
  'an aborted stream (%s) returns its connection',
  async (encoding) => {
    const answer = await begin(listTransactions, admin, { 'accept-encoding': encoding })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding)
    await vi.waitFor(async () => expect(await inTransaction()).toBe(1), { timeout: 30_000 })
    answer.destroy()
    await freed()
  },
)

test('a long list does not prolong its session', async () => {
  const reader = await person(product, ['ADMIN'])
  const answer = await begin(listTransactions, reader)
  const { pool } = product.database
  await pool.query(
    "UPDATE sessions SET last_used_at = now() - interval '10 minutes' WHERE user_id = $1",
    [reader.id],
  )
  await readToEnd(answer)
  const { rows } = await pool.query(
    "SELECT last_used_at < now() - interval '9 minutes' AS idle FROM sessions WHERE user_id = $1",
    [reader.id],
  )
  expect(rows).toEqual([{ idle: true }])
})

test('a failure during a stream cuts the connection', async () => {
  const answer = await begin(listTransactions)
  const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'FETCH%'`
  await vi.waitFor(async () => expect((await product.database.pool.query(end)).rowCount).toBe(1), {
    timeout: 30_000,
  })
  expect(await outcomeOf(answer)).toBe('aborted')
  await freed()
})

test('slow readers leave connections to others and staff', async () => {
  const [one, other] = investors
  const second = await person(product, ['ADMIN'])
  const answers: IncomingMessage[] = []
  const ask = async (who: Person) => {
    const answer = await begin(listTransactions, who)
    if (answer.statusCode === 200) answers.push(answer)
    else answer.resume()
    return [answer.statusCode, answer.headers['retry-after']]
  }
  expect([await ask(one), await ask(one), await ask(other)]).toEqual(
    Array.from({ length: 3 }, () => [200, undefined]),
  )
  await vi.waitFor(async () => expect(await inTransaction()).toBe(3), { timeout: 30_000 })
  expect(await ask(one)).toEqual([429, undefined])
  expect(await ask(other)).toEqual([503, '1'])
  expect([await ask(admin), await ask(admin)]).toEqual([
    [200, undefined],
    [200, undefined],
  ])
  expect(await ask(admin)).toEqual([429, undefined])
  expect(await ask(second)).toEqual([503, '1'])
  const page: Answer = await product.call(listTransactions, {
    token: second.token,
    query: { limit: '50' },
  })
  expect(page).toMatchObject({ status: 200, page: { total: ROWS } })
  for (const answer of answers) answer.destroy()
  await freed()
  expect(await ask(other)).toEqual([200, undefined])
  for (const answer of answers) answer.destroy()
  await freed()
})

test('a too slow reader is cut and its place freed', async () => {
  timeouts.portion = 500
  onTestFinished(() => {
    timeouts.portion = NEVER
  })
  const answer = await begin(listTransactions, investors[0])
  const sipping = setInterval(() => answer.read(8), 100)
  await freed()
  clearInterval(sipping)
  expect(await outcomeOf(answer)).toBe('aborted')
})

test('a statement is given while slow readers take all places', async () => {
  const [one, other] = investors
  const [third, fourth] = [await person(product), await person(product)]
  const slow = [one, one, other].map((who) => begin(listTransactions, who))
  const answers = await Promise.all(slow)
  await vi.waitFor(async () => expect(await inTransaction()).toBe(3), { timeout: 30_000 })
  const ask = (who: Person) =>
    begin({ ...readStatement, path: `/api/v1/statements/${new Date().getUTCFullYear()}/csv` }, who)
  const refused = await ask(third)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1'])
  refused.resume()

  timeouts.yields = 0
  onTestFinished(() => {
    timeouts.yields = NEVER
  })
  const given = await ask(third)
  expect([given.statusCode, (await readToEnd(given)).text.length > 0]).toEqual([200, true])
  // One alone gave way. The others go on, and nothing of the one that ended is held.
  await vi.waitFor(async () => expect(await inTransaction()).toBe(2), { timeout: 30_000 })
  timeouts.yields = NEVER
  expect((await ask(fourth)).resume().statusCode).toBe(200)
  for (const answer of answers) answer.destroy()
  await freed()
})

test('a stream of staff gives way to staff alone', async () => {
  timeouts.yields = 0
  onTestFinished(() => {
    timeouts.yields = NEVER
  })
  const staff = [admin, admin, await person(product, ['ADMIN'])]
  const slow = [...staff, staff[2] as Person, await person(product, ['ADMIN'])]
  const answers = await Promise.all(slow.map((who) => begin(listTransactions, who)))
  await vi.waitFor(async () => expect(await inTransaction()).toBe(5), { timeout: 30_000 })
  const refused = await begin(listTransactions, investors[0])
  expect(refused.statusCode).toBe(503)
  refused.resume()
  const given = await begin(listTransactions, await person(product, ['ADMIN']))
  expect(given.statusCode).toBe(200)
  for (const answer of [...answers, given]) answer.destroy()
  await freed()
})

test('a long list ends with its session', async () => {
  const leaving = await person(product, ['ADMIN'])
  const answer = await begin(listTransactions, leaving)
  await vi.waitFor(async () => expect(await inTransaction()).toBe(1), { timeout: 30_000 })
  await product.database.pool.query('DELETE FROM sessions WHERE user_id = $1', [leaving.id])
  expect(await outcomeOf(answer)).toBe('aborted')
  await freed()
})

test('a HEAD request reads no rows of a long list', async () => {
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    request({ ...options(listTransactions), method: 'HEAD' }, resolve)
      .on('error', reject)
      .end(),
  )
  expect([answer.statusCode, await inTransaction()]).toEqual([200, 0])
})

test('a search beyond the count limit reports more rows', async () => {
  const { page } = await product.call(listTransactions, {
    token: admin.token,
    query: { limit: '0', search: 'Test Person' },
  })
  expect(page).toEqual({ total: 10_000, andMore: true, next: null })
})
