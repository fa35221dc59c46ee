import { randomUUID } from 'node:crypto'
import { INVALIDATE_EVENT } from '@pool/contract/base/changes'
import { cents } from '@pool/contract/base/money'
import { createWallet } from '@pool/contract/chain/wallets'
import { invest } from '@pool/contract/money/investments'
import { pause, resume } from '@pool/contract/money/pauses'
import { approve, confirm, reject } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openLog } from '../../base/process/log.ts'
import { endSessionsOf } from '../../base/sessions/sessions.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { buildApp, type Served } from '../../operator/app.ts'
import { newAddress } from '../../testing/addresses.ts'
import { rewoundDatabase } from '../../testing/database.ts'
import {
  fund,
  investorWith,
  type Person,
  type Product,
  person,
  startProduct,
  wallets,
} from '../../testing/product.ts'
import {
  askToWithdraw as ask,
  begun,
  eventually,
  hears,
  openStream,
} from '../../testing/streams.ts'
import { openHub } from './hub.ts'

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

const log = openLog('silent')

/** A second node on the same database. */
const secondNode = async (options?: { heartbeat: number }) => {
  const hub = openHub(product.database, log, options)
  const context: Served = { ...product.context, ledger: openLedger(product.database.pool), hub }
  const app = await buildApp(context, log)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const close = async () => {
    await app.close()
    await hub.stop()
  }
  return { address, app, close }
}

test('only the owner and staff hear of a decision', async () => {
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

  // The other investor's first event is its own change, so its stream works.
  const theirs = await askToWithdraw(other, 20)
  await hears(others as never, { id: theirs })
  expect(others?.changes().map((change) => 'id' in change && change.id)).toEqual([theirs])
})

test('every stream hears of a pause', async () => {
  const [investor, chief] = [await person(product), await person(product, ['SUPER_ADMIN'])]
  const [own, staff] = await listenAll(investor, chief)
  const params = { name: 'investing' }
  await product.call(pause, { token: chief.token, params, payload: { reason: 'A drill.' } })
  for (const stream of [own, staff]) await hears(stream as never, { noun: 'pause' })
  expect(own?.changes()).toEqual([{ noun: 'pause' }])
  await product.call(resume, { token: chief.token, params })
})

test('every kind of change reaches staff', async () => {
  const [investor, admin] = [await investorWith(product, 500), await person(product, ['ADMIN'])]
  const [own, staff] = await listenAll(investor, admin)
  const { body } = await product.call(deposit, {
    token: investor.token,
    payload: { userId: investor.id, amount: 75 },
  })
  const { transactionId } = body
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

test('a change on one node reaches streams of another', async () => {
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

test('rollbacks and refusals notify no stream', async () => {
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

test('hundreds of the longest changes arrive in order', async () => {
  const [investor, admin] = [await person(product), await person(product, ['ADMIN'])]
  const [own] = await listenAll(investor)
  const { rows } = await product.database.superuser.query<{ id: string }>(
    `INSERT INTO transactions (id, user_id, type, amount, status, sent_at, sent_by, sent_network, sent_evidence, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'withdrawal', 9007199254740991, 'PROCESSING', now(), $2, '', '', now(), now() FROM generate_series(1, 512) RETURNING id`,
    [investor.id, admin.id],
  )
  await eventually(() => expect(own?.changes()).toHaveLength(512))
  expect(own?.changes().map((change) => 'id' in change && change.id)).toEqual(
    rows.map(({ id }) => id),
  )
})

test('staff hear a burst as one event, or invalidate all', async () => {
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
    expect(staff?.heard.slice(before)).toEqual([{ event: INVALIDATE_EVENT, data: null }]),
  )
})

test('a stream outlives a database that is away', async () => {
  const node = await secondNode({ heartbeat: 100 })
  const investor = await investorWith(product, 100)
  const own = await listen(investor, node.address)
  await begun([own])
  const { superuser } = product.database
  const { rows } = await superuser.query('SELECT current_database() AS name')
  const limit = (most: number) =>
    superuser.query(`ALTER DATABASE "${rows[0].name}" CONNECTION LIMIT ${most}`)
  await limit(0)
  await superuser.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND usename <> current_user`,
  )
  // Until the pool has noticed all that it lost, an answer may still be that of a lost connection.
  await eventually(() =>
    expect(product.context.sessions.peek(investor.token)).rejects.toMatchObject({ code: '53300' }),
  )
  const [before, heard] = [own.comments(), own.heard.length]
  await eventually(() => expect(own.comments()).toBeGreaterThan(before + 3))
  await limit(-1)
  // Its news may have passed unheard.
  await eventually(async () => {
    const { rowCount } = await superuser.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'",
    )
    expect(rowCount).toBe(1)
  })
  await eventually(() => expect(own.heard.slice(heard).length).toBeGreaterThan(0))
  await fund(product, investor, cents(5_00n))
  await hears(own, { type: 'deposit', status: 'APPROVED' })
  await node.close()
})

const HOUR_MS = 3_600_000

describe('a session', () => {
  test('ends its streams on all nodes when it ends', async () => {
    const [investor, other] = [await person(product), await person(product)]
    // A long heartbeat, so that only the notification can end them.
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

  test('is not prolonged by heartbeats and ends its stream', async () => {
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

  test('gets a new stream with its new role', async () => {
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
