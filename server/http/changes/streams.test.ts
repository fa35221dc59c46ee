import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { CHANGES_EVENT, changeStream, INVALIDATE_EVENT } from '@pool/contract/base/changes'
import { cents } from '@pool/contract/base/money'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startSession } from '../../base/sessions/sessions.ts'
import { rewoundDatabase } from '../../testing/database.ts'
import {
  fund,
  investorWith,
  type Person,
  type Product,
  person,
  startProduct,
} from '../../testing/product.ts'
import {
  askToWithdraw as ask,
  begun,
  eventually,
  hears,
  openStream,
} from '../../testing/streams.ts'

// A hub of their own: it remembers what it told.
const database = rewoundDatabase()
let product: Product
let url: string
let leaving: (() => void)[]
beforeEach(async () => {
  product = await startProduct({}, { database: database() })
  url = await product.app.listen({ host: '127.0.0.1', port: 0 })
  leaving = []
})
afterEach(async () => {
  for (const leave of leaving) leave()
  await product.close()
})

const listen = (who: Pick<Person, 'token'>, at = url) => {
  const leave = new AbortController()
  leaving.push(() => leave.abort())
  return openStream(at, who, leave.signal)
}
const listenAll = async (...people: readonly Person[]) => {
  const streams = await Promise.all(people.map((each) => listen(each)))
  await begun(streams)
  return streams
}
const askToWithdraw = (investor: Person, amount: number) => ask(product, investor, amount)

/** Process ids of the listening connections. */
const listeners = async (): Promise<number[]> => {
  const { rows } = await product.database.pool.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
  )
  return rows.map(({ pid }) => pid)
}

test('a lost connection is reopened and streams invalidate', async () => {
  const investor = await investorWith(product, 100)
  const [own] = await listenAll(investor)
  const [first] = await listeners()
  await product.database.pool.query('SELECT pg_terminate_backend($1)', [first])
  await eventually(() =>
    expect(own?.heard.map(({ event }) => event)).toEqual([INVALIDATE_EVENT, INVALIDATE_EVENT]),
  )
  const again = await listeners()
  expect([again.length, again.includes(first ?? 0)]).toEqual([1, false])
  const id = await askToWithdraw(investor, 10)
  await hears(own as never, { id })
})

test('a stream opened shortly after its own change invalidates', async () => {
  const [investor, other] = [await investorWith(product, 100), await person(product)]
  const [early, mine] = await listenAll(other, investor)
  // Moves the clock past the hub's start, so that only changes are recent.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  try {
    await hears(mine as never, { id: await askToWithdraw(investor, 10) })
    const late = await listen(investor)
    await eventually(() => expect(late.heard.map(({ event }) => event)).toContain(INVALIDATE_EVENT))
    const unconcerned = await listen(other)
    await fund(product, other, cents(5_00n))
    await hears(unconcerned, { type: 'deposit' })
    expect(unconcerned.heard.map(({ event }) => event)).not.toContain(INVALIDATE_EVENT)
    expect(early?.heard.filter(({ event }) => event === INVALIDATE_EVENT)).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})

test('a slow reader is dropped and the others hear on', async () => {
  const investor = await person(product)
  const [attentive] = await listenAll(investor)
  const socket = connectSocket(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `GET ${changeStream.path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${investor.token}\r\n\r\n`,
  )
  await once(socket, 'readable')
  // The socket is not read from here on, so that all buffers fill.
  const told = JSON.stringify(
    Array.from({ length: 50 }, () => [
      investor.id,
      'transaction',
      randomUUID(),
      'deposit',
      'PENDING',
      1,
    ]),
  )
  for (let round = 1; round <= 400; round += 1) {
    await product.database.pool.query(
      "SELECT pg_notify('changes', $1 || repeat(' ', n)) FROM generate_series(1, 6) AS n",
      [told],
    )
    await eventually(() => expect(attentive?.changes().length).toBe(round * 6 * 50))
  }
  await eventually(async () => expect(await connections()).toBe(1))
  socket.destroy()
})

const connections = (): Promise<number> =>
  new Promise((resolve, fail) =>
    product.app.server.getConnections((error, count) => (error ? fail(error) : resolve(count))),
  )

test('a user has a bounded number of streams', async () => {
  const investor = await person(product)
  const open = (signal?: AbortSignal) =>
    fetch(url + changeStream.path, {
      headers: { authorization: `Bearer ${investor.token}` },
      ...(signal && { signal }),
    })
  const leave = new AbortController()
  leaving.push(() => leave.abort())
  for (let window = 0; window < 12; window += 1) expect((await open(leave.signal)).status).toBe(200)
  const refused = await open()
  expect([refused.status, (await refused.json()) as unknown]).toEqual([
    429,
    expect.objectContaining({ successful: false }),
  ])
  await listen(await person(product))
  leave.abort()
  await eventually(async () => await listen(investor))
})

test('a stop ends all streams and starts none', async () => {
  const [investor, admin] = [await person(product), await person(product, ['ADMIN'])]
  const streams = await listenAll(investor, admin)
  const closed = product.app.close()
  expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(['ended', 'ended'])
  const late = await fetch(url + changeStream.path, {
    headers: { authorization: `Bearer ${investor.token}` },
  }).catch(() => undefined)
  expect([undefined, 503]).toContain(late?.status)
  await closed
})

describe('the response', () => {
  test('has the usual headers without compression or cache', async () => {
    const { response } = await listen(await person(product))
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect(response.headers.get('content-encoding')).toBeNull()
  })

  test.each([
    ['without a token', undefined],
    ['with an unknown token', 'A'.repeat(43)],
  ])('%s is an envelope with 401', async (_, token) => {
    expect(await product.call(changeStream, { ...(token && { token }) })).toMatchObject({
      status: 401,
      successful: false,
    })
  })

  test('is open to every role', async () => {
    for (const role of ['USER', 'ADMIN', 'SUPER_ADMIN'] as const)
      await listen(await person(product, [role]))
  })

  test('is not given to a HEAD request', async () => {
    const { token } = await person(product)
    const { status } = await fetch(url + changeStream.path, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(status).toBe(404)
  })

  test('carries events as in the contract', async () => {
    const investor = await investorWith(product, 50)
    const [own] = await listenAll(investor)
    await askToWithdraw(investor, 10)
    await eventually(() => expect(own?.heard.at(-1)?.event).toBe(CHANGES_EVENT))
    expect(changeStream.body.parse(own?.heard.at(-1)?.data)).toEqual(own?.heard.at(-1)?.data)
  })
})

test('opening a stream does not prolong the session', async () => {
  const { id } = await person(product)
  const token = await startSession(product.context, id)
  await product.database.pool.query(
    "UPDATE sessions SET last_used_at = now() - interval '10 minutes'",
  )
  await listen({ token })
  const { rows } = await product.database.pool.query(
    "SELECT FROM sessions WHERE last_used_at > now() - interval '9 minutes'",
  )
  expect(rows).toEqual([])
})
