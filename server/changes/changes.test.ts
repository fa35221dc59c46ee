import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { CHANGES_EVENT, type Change, events, RELOAD_EVENT } from '@pool/contract/changes'
import { invest } from '@pool/contract/investments'
import { cents } from '@pool/contract/money'
import { pause, resume } from '@pool/contract/pauses'
import { approve, confirm, deposit, reject, withdraw } from '@pool/contract/transactions'
import { createWallet } from '@pool/contract/wallets'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildApp, type Served } from '../app.ts'
import { openLedger } from '../ledger/ledger.ts'
import { openLog } from '../process/log.ts'
import { endSessionsOf, startSession } from '../sessions/sessions.ts'
import { newAddress } from '../testing/addresses.ts'
import {
  fund,
  investorWith,
  type Person,
  type Product,
  person,
  startProduct,
  wallets,
} from '../testing/product.ts'
import { openHub } from './hub.ts'

/** What comes over a stream takes as long as the machine takes. */
const eventually = <Result>(check: () => Result): Promise<Awaited<Result>> =>
  vi.waitFor(check, { timeout: 20_000, interval: 10 }) as Promise<Awaited<Result>>

type Heard = { readonly event: string; readonly data: unknown }

let product: Product
let url: string
let leaving: (() => void)[]
beforeEach(async () => {
  product = await startProduct()
  url = await product.app.listen({ host: '127.0.0.1', port: 0 })
  leaving = []
})
afterEach(async () => {
  for (const leave of leaving) leave()
  await product.close()
})

const log = openLog('silent')

/**
 * Opens a stream over HTTP and waits until it has begun; `heard` grows as events arrive, `ended`
 * settles with the stream.
 */
const listen = async ({ token }: Pick<Person, 'token'>, at = url) => {
  const leave = new AbortController()
  leaving.push(() => leave.abort())
  const response = await fetch(at + events.path, {
    headers: { authorization: `Bearer ${token}` },
    signal: leave.signal,
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream',
  ])
  const heard: Heard[] = []
  let text = ''
  const read = async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      const whole = text.split('\n\n')
      text = whole.pop() ?? ''
      for (const block of whole) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
        if (event !== undefined) heard.push({ event, data: JSON.parse(data ?? '') })
        else comments += 1
      }
    }
    return 'ended' as const
  }
  let comments = 0
  const ended = read().catch(() => 'broken' as const)
  return {
    response,
    heard,
    ended,
    comments: () => comments,
    changes: () => heard.flatMap(({ data }) => (data ?? []) as Change[]),
  }
}

/**
 * Streams that were told to reload when the database was first listened to: from here on nothing is
 * missed.
 */
const listenAll = async (...people: readonly Person[]) => {
  const streams = await Promise.all(people.map((each) => listen(each)))
  for (const { heard } of streams)
    await eventually(() => expect(heard).toEqual([{ event: RELOAD_EVENT, data: null }]))
  return streams
}

/** Waits until a stream has heard of this; what it heard before that is what there was to hear. */
const hears = (stream: Awaited<ReturnType<typeof listen>>, change: Partial<Change> | object) =>
  eventually(() => expect(stream.changes()).toContainEqual(expect.objectContaining(change)))

/** A second node on the same database. */
const secondNode = async (options?: { heartbeat: number }) => {
  const hub = openHub(product.database.pool, log, options)
  const context: Served = { ...product.context, ledger: openLedger(product.database.pool), hub }
  const app = await buildApp(context, log)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const close = async () => {
    await app.close()
    await hub.stop()
  }
  return { address, app, close }
}

const askToWithdraw = async (investor: Person, amount: number): Promise<string> => {
  const { body } = await product.call(withdraw, {
    token: investor.token,
    payload: { userId: investor.id, amount },
  })
  return (body as { transactionId: string }).transactionId
}

/** The process ids of the connections that listen. */
const listeners = async (): Promise<number[]> => {
  const { rows } = await product.database.pool.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
  )
  return rows.map(({ pid }) => pid)
}

test('an owner hears what an admin decides, staff hears it too, and another client hears nothing', async () => {
  const [investor, other, admin] = [
    await investorWith(product, 500),
    await investorWith(product, 500),
    await person(product, ['ADMIN']),
  ]
  const [own, others, staff] = await listenAll(investor, other, admin)
  const id = await askToWithdraw(investor, 120.5)
  await product.call(approve, {
    token: admin.token,
    payload: { transactionId: id, userId: investor.id },
  })
  const approved = {
    noun: 'transaction',
    id,
    userId: investor.id,
    type: 'withdrawal',
    status: 'APPROVED',
    amount: 120.5,
  }
  for (const stream of [own, staff]) await hears(stream as never, approved)
  expect(own?.changes()).toEqual([{ ...approved, status: 'PENDING' }, approved])

  // A change of the other client's own shows that its stream lives: it is the first that it hears.
  const theirs = await askToWithdraw(other, 20)
  await hears(others as never, { id: theirs })
  expect(others?.changes().map((change) => 'id' in change && change.id)).toEqual([theirs])
})

test('everybody hears that something was paused', async () => {
  const [investor, chief] = [await person(product), await person(product, ['SUPER_ADMIN'])]
  const [own, staff] = await listenAll(investor, chief)
  const params = { name: 'investing' }
  await product.call(pause, { token: chief.token, params, payload: { reason: 'A drill.' } })
  for (const stream of [own, staff]) await hears(stream as never, { noun: 'switch' })
  expect(own?.changes()).toEqual([{ noun: 'switch' }])
  await product.call(resume, { token: chief.token, params })
})

test('every kind of change is told: deposit, rejection, investment, wallet, user', async () => {
  const [investor, admin] = [await investorWith(product, 500), await person(product, ['ADMIN'])]
  const [own, staff] = await listenAll(investor, admin)
  const { body } = await product.call(deposit, {
    token: investor.token,
    payload: { userId: investor.id, amount: 75 },
  })
  const { transactionId } = body as { transactionId: string }
  await product.call(confirm, { token: admin.token, payload: { transactionId } })
  await hears(own as never, { id: transactionId, type: 'deposit', status: 'APPROVED', amount: 75 })
  const refused = await askToWithdraw(investor, 30)
  await product.call(reject, { token: admin.token, params: { id: refused }, payload: {} })
  await hears(own as never, { id: refused, status: 'REJECTED' })
  await product.call(invest, {
    token: investor.token,
    payload: { userId: investor.id, amount: 100, durationDays: 5 },
  })
  await hears(own as never, {
    noun: 'investment',
    type: 'investment',
    status: 'ACTIVE',
    amount: 100,
  })
  await product.call(createWallet, {
    token: admin.token,
    payload: { address: newAddress(), networkName: 'Bitcoin' },
  })
  await person(product)
  await hears(staff as never, { noun: 'user' })
  await hears(staff as never, { noun: 'wallet' })
  expect(own?.changes().filter(({ noun }) => noun === 'wallet' || noun === 'user')).toEqual([])
})

test('a change made on one node arrives at a stream of another', async () => {
  const [investor, admin] = [await investorWith(product, 500), await person(product, ['ADMIN'])]
  const other = await secondNode()
  const stream = await listen(investor, other.address)
  await eventually(() => expect(stream.heard).toHaveLength(1))
  const id = await askToWithdraw(investor, 40)
  await product.call(approve, {
    token: admin.token,
    payload: { transactionId: id, userId: investor.id },
  })
  await hears(stream, { id, status: 'APPROVED' })
  await other.close()
})

test('nothing is told of what is rolled back or refused', async () => {
  const investor = await investorWith(product, 500)
  const [own] = await listenAll(investor)
  const client = await product.database.pool.connect()
  await client.query('BEGIN')
  await client.query(
    `INSERT INTO transactions (id, user_id, type, amount, status, created_at, updated_at) VALUES ($1, $2, 'withdrawal', 1, 'PENDING', now(), now())`,
    [randomUUID(), investor.id],
  )
  await client.query('ROLLBACK')
  client.release()
  expect(
    (
      await product.call(withdraw, {
        token: investor.token,
        payload: { userId: investor.id, amount: 9_999 },
      })
    ).status,
  ).toBe(409)
  const id = await askToWithdraw(investor, 10)
  await hears(own as never, { id })
  expect(own?.changes()).toHaveLength(1)
})

test('the longest changes fit, and hundreds of one statement arrive whole and in order', async () => {
  const investor = await person(product)
  const [own] = await listenAll(investor)
  const { rows } = await product.database.pool.query<{ id: string }>(
    `INSERT INTO transactions (id, user_id, type, amount, status, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'withdrawal', 9007199254740991, 'PROCESSING', now(), now() FROM generate_series(1, 512) RETURNING id`,
    [investor.id],
  )
  await eventually(() => expect(own?.changes()).toHaveLength(512))
  expect(own?.changes().map((change) => 'id' in change && change.id)).toEqual(
    rows.map(({ id }) => id),
  )
})

test('staff hears a burst as one event, and is told to reload when it is too long to list', async () => {
  const [investor, admin] = [await person(product), await person(product, ['ADMIN'])]
  const [staff] = await listenAll(admin)
  const insert = (count: number) =>
    product.database.pool.query(
      `INSERT INTO transactions (id, user_id, type, amount, status, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'withdrawal', 1, 'PENDING', now(), now() FROM generate_series(1, $2::int)`,
      [investor.id, count],
    )
  for (let one = 0; one < 40; one += 1) await insert(1)
  await eventually(() => expect(staff?.changes()).toHaveLength(40))
  expect(staff?.heard.length).toBeLessThan(10)
  const before = staff?.heard.length
  await insert(1_000)
  await eventually(() =>
    expect(staff?.heard.slice(before)).toEqual([{ event: RELOAD_EVENT, data: null }]),
  )
})

const HOUR_MS = 3_600_000

describe('a session', () => {
  test('that is ended ends its streams at once, here and on other nodes', async () => {
    const [investor, other] = [await person(product), await person(product)]
    // No heartbeat ends them before they hear of it.
    const nodes = [
      await secondNode({ heartbeat: HOUR_MS }),
      await secondNode({ heartbeat: HOUR_MS }),
    ]
    const streams = await Promise.all(nodes.map(({ address }) => listen(investor, address)))
    const unconcerned = await listen(other)
    await eventually(() => expect(streams.map(({ heard }) => heard.length)).toEqual([1, 1]))
    await endSessionsOf(product.context.db, investor.id)
    expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(['ended', 'ended'])
    await fund(product, other, cents(5_00n))
    await hears(unconcerned, { type: 'deposit', status: 'APPROVED' })
    for (const { close } of nodes) await close()
  })

  test('that has gone idle ends its stream at the next heartbeat, and no heartbeat prolongs it', async () => {
    const node = await secondNode({ heartbeat: 500 })
    const investor = await person(product)
    const { pool } = product.database
    const lastUse = async () =>
      (await pool.query('SELECT last_used_at FROM sessions WHERE user_id = $1', [investor.id])).rows
    await pool.query(
      "UPDATE sessions SET last_used_at = now() - interval '5 minutes' WHERE user_id = $1",
      [investor.id],
    )
    const before = await lastUse()
    const stream = await listen(investor, node.address)
    await eventually(() => expect(stream.comments()).toBeGreaterThan(5))
    expect(await lastUse()).toEqual(before)
    await pool.query(
      "UPDATE sessions SET last_used_at = now() - interval '16 minutes' WHERE user_id = $1",
      [investor.id],
    )
    expect(await stream.ended).toBe('ended')
    await node.close()
  })

  test('that was given or lost a role begins a new stream with what it may see', async () => {
    const node = await secondNode({ heartbeat: 500 })
    const clerk = await person(product)
    const stream = await listen(clerk, node.address)
    await product.database.pool.query(
      "INSERT INTO user_roles (user_id, role) VALUES ($1, 'ADMIN')",
      [clerk.id],
    )
    expect(await stream.ended).toBe('ended')
    const asStaff = await listen(clerk, node.address)
    await eventually(() => expect(asStaff.heard).toHaveLength(1))
    await wallets(product, 1)
    await hears(asStaff, { noun: 'wallet' })
    await product.database.pool.query(
      "DELETE FROM user_roles WHERE user_id = $1 AND role = 'ADMIN'",
      [clerk.id],
    )
    expect(await asStaff.ended).toBe('ended')
    await node.close()
  })
})

test('when its connection to the database is lost, the hub opens another and tells everybody to reload', async () => {
  const investor = await investorWith(product, 100)
  const [own] = await listenAll(investor)
  const [first] = await listeners()
  await product.database.pool.query('SELECT pg_terminate_backend($1)', [first])
  await eventually(() =>
    expect(own?.heard.map(({ event }) => event)).toEqual([RELOAD_EVENT, RELOAD_EVENT]),
  )
  const again = await listeners()
  expect([again.length, again.includes(first ?? 0)]).toEqual([1, false])
  const id = await askToWithdraw(investor, 10)
  await hears(own as never, { id })
})

test('a stream that begins shortly after a change of its own rows is told to reload, another is not', async () => {
  const [investor, other] = [await investorWith(product, 100), await person(product)]
  const [early, mine] = await listenAll(other, investor)
  // As if the database had been listened to for long: what is remembered is then what changed, not
  // when listening began.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  try {
    await hears(mine as never, { id: await askToWithdraw(investor, 10) })
    const late = await listen(investor)
    await eventually(() => expect(late.heard.map(({ event }) => event)).toContain(RELOAD_EVENT))
    const unconcerned = await listen(other)
    await fund(product, other, cents(5_00n))
    await hears(unconcerned, { type: 'deposit' })
    expect(unconcerned.heard.map(({ event }) => event)).not.toContain(RELOAD_EVENT)
    expect(early?.heard.filter(({ event }) => event === RELOAD_EVENT)).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})

test('a reader that does not keep up is dropped, and the others hear all the same', async () => {
  const investor = await person(product)
  const [attentive] = await listenAll(investor)
  const socket = connectSocket(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `GET ${events.path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${investor.token}\r\n\r\n`,
  )
  await once(socket, 'readable')
  // Never read from here on: whatever arrives fills the buffers between, of which the last is the
  // stream's own.
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

test('a user has a bounded number of streams, and one that was left makes room', async () => {
  const investor = await person(product)
  const open = (signal?: AbortSignal) =>
    fetch(url + events.path, {
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

test('stopping ends the streams at once, and none begins any more', async () => {
  const [investor, admin] = [await person(product), await person(product, ['ADMIN'])]
  const streams = await listenAll(investor, admin)
  const closed = product.app.close()
  expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(['ended', 'ended'])
  const late = await fetch(url + events.path, {
    headers: { authorization: `Bearer ${investor.token}` },
  }).catch(() => undefined)
  expect([undefined, 503]).toContain(late?.status)
  await closed
})

describe('the answer', () => {
  test('has the headers of every answer, is not compressed and not kept', async () => {
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
    expect(await product.call(events, { ...(token && { token }) })).toMatchObject({
      status: 401,
      successful: false,
    })
  })

  test('is open to every role', async () => {
    for (const role of ['USER', 'ADMIN', 'SUPER_ADMIN'] as const)
      await listen(await person(product, [role]))
  })

  test('is not given to who asks for its headers alone', async () => {
    const { token } = await person(product)
    const { status } = await fetch(url + events.path, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(status).toBe(404)
  })

  test('carries what the contract says', async () => {
    const investor = await investorWith(product, 50)
    const [own] = await listenAll(investor)
    await askToWithdraw(investor, 10)
    await eventually(() => expect(own?.heard.at(-1)?.event).toBe(CHANGES_EVENT))
    expect(events.body.parse(own?.heard.at(-1)?.data)).toEqual(own?.heard.at(-1)?.data)
  })
})

test('opening a stream is no use of the session', async () => {
  const { id } = await person(product)
  const token = await startSession(product.context.db, id)
  await product.database.pool.query(
    "UPDATE sessions SET last_used_at = now() - interval '10 minutes'",
  )
  await listen({ token })
  const { rows } = await product.database.pool.query(
    "SELECT FROM sessions WHERE last_used_at > now() - interval '9 minutes'",
  )
  expect(rows).toEqual([])
})
