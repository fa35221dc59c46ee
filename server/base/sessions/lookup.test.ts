import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { grantRole, revokeRole, suspendUser } from '../../accounts/users/roles.ts'
import { type Person, type Product, person, startProduct } from '../../testing/product.ts'
import { connect, type Database } from '../db/connection.ts'
import { lockSql } from '../locks.ts'
import { openLog } from '../process/log.ts'
import { openSessionLookup, type SessionLookup } from './lookup.ts'
import { insertReadingKey } from './readingKeys.ts'
import { forgetEndedSessions, startSession } from './sessions.ts'

type Node = SessionLookup & { readonly database: Database; readonly asked: () => number }

const by = { name: 'operator', from: 'operator' }

let product: Product
/** Two server processes with their own connections. */
let nodes: Node[]
let someone: Person

const addressOf = () => ({
  ...inject('postgres').app,
  database: product.database.pool.options.database,
})

const openNode = (): Node => {
  const database = connect(addressOf(), 4, openLog('silent'))
  const query = vi.spyOn(database.pool, 'query')
  const asked = () =>
    query.mock.calls.filter(([text]) =>
      /^find_/.test((text as unknown as pg.QueryConfig).name ?? ''),
    ).length
  return { ...openSessionLookup(database.pool, product.context.keys), database, asked }
}

const found = () => Promise.all(nodes.map(({ find }) => find(someone.token)))

beforeAll(async () => {
  product = await startProduct()
  nodes = [openNode(), openNode()]
})
afterAll(async () => {
  for (const { database } of nodes) await database.close()
  await product.close()
})
beforeEach(async () => {
  someone = await person(product)
})

test('simultaneous look-ups share a query', async () => {
  const [node] = nodes as [Node]
  const tokens = await Promise.all(
    Array.from({ length: 50 }, () => startSession(product.context, someone.id)),
  )
  const before = node.asked()
  const sessions = await Promise.all(tokens.map(node.find))
  expect(sessions.every((session) => session?.userId === someone.id)).toBe(true)
  expect(node.asked() - before).toBeLessThanOrEqual(3)
  expect(await node.find('nobody has this token')).toBeUndefined()
})

test('made-up tokens and keys cost no query', async () => {
  const [node] = nodes as [Node]
  const { db, keys } = product.context
  const making = { userId: someone.id, name: 'x', days: 1 }
  const { key } = await db
    .transaction()
    .execute((transaction) => insertReadingKey({ db: transaction, keys }, making))
  const madeUp = (token: string) => [
    token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'),
    token.replace(/.{24}$/, `00000000${token.slice(-16)}`),
    token.replace(/.{67}$/, (given) => (given.startsWith('A') ? 'B' : 'A') + given.slice(1)),
    token.replace(/.{24}$/, ''),
  ]
  const before = node.asked()
  for (const token of madeUp(someone.token))
    for (const way of ['find', 'findCached', 'peek'] as const)
      expect(await node[way](token)).toBeUndefined()
  for (const each of madeUp(key)) expect(await node.findByKey(each)).toBeUndefined()
  expect(node.asked()).toBe(before)
  expect(await node.find(someone.token)).toMatchObject({ userId: someone.id })
  expect(await node.findByKey(key)).toMatchObject({ userId: someone.id })
  expect(node.asked()).toBe(before + 2)
})

test('a session that was just found is cached', async () => {
  const [node, other] = nodes as [Node, Node]
  const session = await node.find(someone.token)
  const before = [node.asked(), other.asked()]
  expect(await node.findCached(someone.token)).toBe(session)
  expect(await other.findCached(someone.token)).toEqual(session)
  expect([node.asked(), other.asked()]).toEqual([before[0], (before[1] ?? 0) + 1])
  await suspendUser(product.context, { email: someone.email, by })
  expect(await node.find(someone.token)).toBeUndefined()
  expect(await node.findCached(someone.token)).toBeUndefined()
})

describe('a session is refused after', () => {
  const sql = (statement: string) => () => product.database.superuser.query(statement, [someone.id])
  const email = () => someone.email

  test.each<[string, () => Promise<unknown>]>([
    ['a suspension', () => suspendUser(product.context, { email: email(), by })],
    ['a revoked role', () => revokeRole(product.context, { email: email(), role: 'USER', by })],
    ['a deletion by SQL', sql('DELETE FROM sessions WHERE user_id = $1')],
    ['a suspension by SQL', sql('UPDATE users SET suspended_at = now() WHERE id = $1')],
    [
      'its idle time',
      sql("UPDATE sessions SET last_used_at = now() - interval '15 minutes' WHERE user_id = $1"),
    ],
    [
      'its full lifetime',
      sql("UPDATE sessions SET created_at = now() - interval '12 hours' WHERE user_id = $1"),
    ],
  ])('%s, on any node', async (_, end) => {
    for (const session of await found()) expect(session).toMatchObject({ userId: someone.id })
    await end()
    expect(await found()).toEqual([undefined, undefined])
  })

  test.each<[string, () => Promise<unknown>, string[]]>([
    [
      'a role was granted',
      () => grantRole(product.context, { email: email(), role: 'ADMIN', by }),
      ['ADMIN', 'USER'],
    ],
    [
      'SQL granted a role',
      sql("INSERT INTO user_roles (user_id, role) VALUES ($1, 'ADMIN')"),
      ['ADMIN', 'USER'],
    ],
    ['SQL revoked a role', sql('DELETE FROM user_roles WHERE user_id = $1'), []],
    [
      'SQL changed a role',
      sql("UPDATE user_roles SET role = 'SUPER_ADMIN' WHERE user_id = $1"),
      ['SUPER_ADMIN'],
    ],
  ])('after %s the next call has the new roles', async (_, change, roles) => {
    for (const session of await found()) expect(session).toMatchObject({ userId: someone.id })
    await change()
    for (const session of await found()) expect(session?.roles.toSorted()).toEqual(roles)
  })

  test('a suspension during calls to both nodes', async () => {
    for (const session of await found()) expect(session).toMatchObject({ userId: someone.id })
    let acknowledged = false
    let calls = 0
    const caller = async ({ find }: Node): Promise<void> => {
      for (;;) {
        const late = acknowledged
        const session = await find(someone.token)
        calls += 1
        if (late) return expect(session).toBeUndefined()
        // Yields, since cached responses never wait.
        await new Promise(setImmediate)
      }
    }
    const callers = nodes.flatMap((node) => Array.from({ length: 4 }, () => caller(node)))
    await suspendUser(product.context, { email: email(), by })
    acknowledged = true
    await Promise.all(callers)
    expect(calls).toBeGreaterThan(callers.length)
  })

  test('a deletion while a node cannot connect', async () => {
    for (const session of await found()) expect(session).toMatchObject({ userId: someone.id })
    const { database } = addressOf()
    const allow = (allowed: boolean) =>
      outside.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS ${allowed}`)
    const outside = new pg.Client({ ...inject('postgres').superuser, database: 'postgres' })
    const inside = new pg.Client(addressOf())
    await Promise.all([outside.connect(), inside.connect()])
    try {
      const { rows } = await inside.query('SELECT pg_backend_pid() AS own')
      await allow(false)
      await outside.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> $2',
        [database, rows[0].own],
      )
      await inside.query('DELETE FROM sessions WHERE user_id = $1', [someone.id])
      for (const { find } of nodes) await expect(find(someone.token)).rejects.toThrow()
      await allow(true)
      expect(await found()).toEqual([undefined, undefined])
    } finally {
      await allow(true)
      await Promise.all([outside.end(), inside.end()])
    }
  })
})

test('ended and future sessions are deleted, living ones are not', async () => {
  const [node] = nodes as [Node]
  const db = product.context.db
  const [living, ahead, idle, old] = await Promise.all(
    Array.from({ length: 4 }, () => startSession(product.context, someone.id)),
  )
  const put = (token = '', moments: string) =>
    product.database.superuser.query(
      `UPDATE sessions SET ${moments} WHERE token_hash = sha256(convert_to($1, 'UTF8'))`,
      [token],
    )
  await put(ahead, "created_at = now() + interval '1 day', last_used_at = now() + interval '1 day'")
  await put(idle, "last_used_at = now() - interval '15 minutes'")
  await put(old, "created_at = now() - interval '12 hours'")
  for (const ended of [ahead, idle, old]) expect(await node.find(ended ?? '')).toBeUndefined()
  expect(await forgetEndedSessions(db)).toBeGreaterThanOrEqual(3)
  const { rows } = await product.database.pool.query(
    'SELECT count(*)::int AS left FROM sessions WHERE user_id = $1',
    [someone.id],
  )
  expect(rows).toEqual([{ left: 2 }])
  expect(await node.find(living ?? '')).toMatchObject({ userId: someone.id })
})

test('a use is recorded once in half a minute', async () => {
  const [{ find, peek }] = nodes as [Node]
  const { pool } = product.database
  const lastUse = async () =>
    (await pool.query('SELECT last_used_at FROM sessions WHERE user_id = $1', [someone.id])).rows[0]
      .last_used_at
  const put = async (moment: string) => {
    await pool.query(
      `UPDATE sessions SET last_used_at = now() + interval '${moment}' WHERE user_id = $1`,
      [someone.id],
    )
    return lastUse()
  }
  const before = await put('-1 minute')
  expect(await peek(someone.token)).toMatchObject({ userId: someone.id })
  expect(await lastUse()).toEqual(before)
  await find(someone.token)
  expect((await lastUse()) > before).toBe(true)
  const recent = await put('45 seconds')
  await find(someone.token)
  expect(await lastUse()).toEqual(recent)
  expect(await peek('nobody has this token')).toBeUndefined()
})

test('creating a user waits for no group', async () => {
  const holder = await product.database.pool.connect()
  try {
    await holder.query('BEGIN')
    await holder.query(lockSql('groups'))
    expect(await person(product, ['ADMIN'])).toHaveProperty('token')
  } finally {
    await holder.query('ROLLBACK')
    holder.release()
  }
})

test('look-ups are refused at the timeout and recover later', async () => {
  const lookup = openSessionLookup(product.database.pool, product.context.keys)
  const holder = await product.database.pool.connect()
  const hanging = async () => {
    const waiting =
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    return (await product.database.pool.query(waiting)).rowCount
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    await holder.query('BEGIN; LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE')
    const asked: Promise<unknown>[] = []
    for (const questions of [1, 2, 2]) {
      asked.push(lookup.peek(someone.token))
      await vi.waitFor(async () => expect(await hanging()).toBe(questions))
    }
    vi.advanceTimersByTime(10_000)
    for (const one of asked) await expect(one).rejects.toMatchObject({ code: 'unavailable' })
    expect(await hanging()).toBe(2)
    await holder.query('ROLLBACK')
    expect(await lookup.peek(someone.token)).toMatchObject({ userId: someone.id })
  } finally {
    vi.useRealTimers()
    holder.release()
  }
})
