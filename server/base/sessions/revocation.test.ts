import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { changePassword } from '@pool/contract/accounts/users'
import type { Endpoint } from '@pool/contract/base/endpoint'
import { cents } from '@pool/contract/base/money'
import { createWallet } from '@pool/contract/chain/wallets'
import { invest } from '@pool/contract/money/investments'
import { confirm } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { balance } from '@pool/contract/requests/transactions'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { revokeRole, suspendUser } from '../../accounts/users/roles.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { newAddress } from '../../testing/addresses.ts'
import {
  balanceOf,
  investorWith,
  PASSWORD,
  type Person,
  person,
  testProduct,
} from '../../testing/product.ts'
import { rounds } from '../../testing/rounds.ts'
import { shareSql } from '../locks.ts'
import { endingSessions } from './ending.ts'
import { endSessionsOf, startSession } from './sessions.ts'

const by = { name: 'operator', from: 'operator' }

const product = testProduct()
let port: number
beforeAll(async () => {
  await product.app.listen({ host: '127.0.0.1', port: 0 })
  port = (product.app.server.address() as AddressInfo).port
})

type Slow = { readonly socket: Socket; readonly rest: string; readonly answer: () => string }

/** Sends a call's headers and the first five bytes of its body. */
const begin = async (endpoint: Endpoint, token: string, payload: object): Promise<Slow> => {
  const body = JSON.stringify(payload)
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (part) => {
    answer += part.toString()
  })
  await once(socket, 'connect')
  const headers = [
    `${endpoint.method} ${endpoint.path} HTTP/1.1`,
    'host: x',
    'connection: close',
    'content-type: application/json',
    `content-length: ${body.length}`,
    `authorization: Bearer ${token}`,
  ]
  socket.write(`${headers.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
  return { socket, rest: body.slice(5), answer: () => answer }
}

const finish = async ({ socket, rest, answer }: Slow): Promise<number> => {
  const closed = once(socket, 'close')
  socket.write(rest)
  await closed
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer())?.[1])
}

const rowsOf = async (text: string) => (await product.database.pool.query(text)).rows
const everythingMoved = () =>
  rowsOf(
    'SELECT (SELECT count(*) FROM transactions) AS asked, (SELECT count(*) FROM transfers) AS moved, (SELECT count(*) FROM wallets) AS wallets',
  )

/** All ways to end a user's sessions. Each resolves once they have ended. */
const revocations: Readonly<Record<string, (user: Person) => Promise<unknown>>> = {
  'a suspension': ({ email }) => suspendUser(product.context, { email, by }),
  'a changed password': async ({ id }) => {
    const token = await startSession(product.context, id)
    const payload = { password: PASSWORD, newPassword: `${crypto.randomUUID()} horse` }
    expect((await product.call(changePassword, { token, payload })).status).toBe(200)
  },
  'a revoked role': ({ email }) => revokeRole(product.context, { email, role: 'ADMIN', by }),
  'a deletion by SQL': ({ id }) =>
    product.database.pool.query('DELETE FROM sessions WHERE user_id = $1', [id]),
}

describe.each(Object.keys(revocations))('during a slow body, %s stops', (way) => {
  const revoke = revocations[way] as (user: Person) => Promise<unknown>
  const times = rounds({ full: 84, short: 2 })

  test('calls of investors, admins and stolen tokens', {
    timeout: times * 20_000,
  }, async () => {
    const investor = await investorWith(product, 1_000)
    const waiting = await product.call(deposit, {
      token: investor.token,
      payload: { userId: investor.id, amount: 50 },
    })
    const { transactionId } = waiting.body
    for (let round = 0; round < times; round += 1) {
      const [investor, admin] = [await investorWith(product, 100), await person(product, ['ADMIN'])]
      const stolen = await startSession(product.context, admin.id)
      const before = await everythingMoved()
      const calls = await Promise.all([
        begin(withdraw, investor.token, { userId: investor.id, amount: 20 }),
        begin(createWallet, admin.token, { address: newAddress(), networkName: 'Bitcoin' }),
        begin(confirm, stolen, { transactionId }),
        begin(balance, investor.token, { userId: investor.id }),
      ])
      await revoke(investor)
      await revoke(admin)
      expect(await Promise.all(calls.map(finish))).toEqual([401, 401, 401, 401])
      expect(await everythingMoved()).toEqual(before)
      expect(await product.context.ledger.available(investor.id)).toBe(100_00n)
    }
  })
})

test('an ended session moves nothing, even just after use', async () => {
  const { id, token } = await investorWith(product, 100)
  expect((await product.call(balance, { token, payload: { userId: id } })).status).toBe(200)
  await product.database.pool.query('DELETE FROM sessions WHERE user_id = $1', [id])
  const before = await everythingMoved()
  for (const [endpoint, more] of [
    [withdraw, {}],
    [deposit, {}],
    [invest, { durationDays: 5 }],
  ] as const) {
    const payload = { userId: id, amount: 20, ...more }
    expect((await product.call(endpoint, { token, payload })).status).toBe(401)
  }
  expect(await everythingMoved()).toEqual(before)
})

/** Statements in this database that wait for a lock. */
const waiting = () =>
  rowsOf(
    "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  )
/** Resolves once `count` statements wait. */
const untilWaiting = (count: number) =>
  vi.waitFor(async () => expect(await waiting()).toHaveLength(count), { timeout: 30_000 })

test('changes of passwords leave connections to other calls', async () => {
  const users = await Promise.all(Array.from({ length: 15 }, () => person(product)))
  const group = await product.database.superuser.connect()
  try {
    // An open group that takes long.
    await group.query(`BEGIN; ${shareSql('groups')}`)
    const change = ({ token }: Person) =>
      product.call(changePassword, {
        token,
        payload: { password: PASSWORD, newPassword: `${crypto.randomUUID()} horse` },
      })
    const changes = users.map(change)
    await untilWaiting(1)
    const reader = await person(product)
    expect(
      (await product.call(balance, { token: reader.token, payload: { userId: reader.id } })).status,
    ).toBe(200)
    expect(await waiting()).toHaveLength(1)
    await group.query('COMMIT')
    expect(new Set((await Promise.all(changes)).map(({ status }) => status))).toEqual(
      new Set([200]),
    )
  } finally {
    group.release()
  }
})

test('sessions that end together wait on one connection', async () => {
  const { db } = product.context
  const { pool } = product.database
  const users = await Promise.all(Array.from({ length: 15 }, () => person(product)))
  const group = await pool.connect()
  try {
    await group.query(`BEGIN; ${shareSql('groups')}`)
    const endings = users.map(({ id }) =>
      endingSessions(db, (transaction) => endSessionsOf(transaction, id)),
    )
    await untilWaiting(1)
    expect([await waiting(), pool.waitingCount]).toMatchObject([{ length: 1 }, 0])
    await group.query('COMMIT')
    expect(await Promise.all(endings)).toHaveLength(15)
  } finally {
    group.release()
  }
})

/** Ways to end the sessions of these users by SQL, while they can be read. */
const endings: [way: string, statement: string][] = [
  ['a deletion', 'DELETE FROM sessions WHERE user_id = ANY ($1)'],
  [
    'an expiry',
    "UPDATE sessions SET created_at = created_at - interval '12 hours' WHERE user_id = ANY ($1)",
  ],
  ['a suspension', 'UPDATE users SET suspended_at = now() WHERE id = ANY ($1)'],
]

describe('at the commit', () => {
  test.each(endings)('an uncommitted %s stops a session', async (_, statement) => {
    const [investor, admin] = [await investorWith(product, 100), await person(product, ['ADMIN'])]
    const before = await everythingMoved()
    const ending = await product.database.superuser.connect()
    try {
      await ending.query('BEGIN')
      await ending.query(statement, [[investor.id, admin.id]])
      // Both calls find their session, since its end is not committed.
      const calls = [
        product.call(withdraw, {
          token: investor.token,
          payload: { userId: investor.id, amount: 20 },
          key: 'a-key',
        }),
        product.call(createWallet, {
          token: admin.token,
          payload: { address: newAddress(), networkName: 'Bitcoin' },
        }),
      ]
      await untilWaiting(2)
      await ending.query('COMMIT')
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([401, 401])
    } finally {
      ending.release()
    }
    expect(await everythingMoved()).toEqual(before)
    // A new session may use the key, since no operation was done with it.
    await product.database.pool.query('UPDATE users SET suspended_at = NULL WHERE id = $1', [
      investor.id,
    ])
    const again = { userId: investor.id, amount: 20 }
    const token = await startSession(product.context, investor.id)
    expect((await product.call(withdraw, { token, payload: again, key: 'a-key' })).status).toBe(200)
  })

  test('a session ends only after its operations commit', async () => {
    const investor = await investorWith(product, 100)
    const holder = await product.database.superuser.connect()
    try {
      await holder.query('BEGIN')
      await holder.query('SELECT FROM accounts WHERE owner_id = $1 FOR UPDATE', [investor.id])
      const asked = product.call(withdraw, {
        token: investor.token,
        payload: { userId: investor.id, amount: 20 },
      })
      await untilWaiting(1)
      let ended = false
      const ending = suspendUser(product.context, { email: investor.email, by }).then(() => {
        ended = true
      })
      await untilWaiting(2)
      expect(ended).toBe(false)
      await holder.query('ROLLBACK')
      expect((await asked).status).toBe(200)
      await ending
    } finally {
      holder.release()
    }
    expect(
      (
        await product.call(withdraw, {
          token: investor.token,
          payload: { userId: investor.id, amount: 20 },
        })
      ).status,
    ).toBe(401)
  })

  test.each<[way: string, statement: string]>([
    ...endings,
    ['a deletion of all', 'TRUNCATE sessions'],
    ['a changed role', "UPDATE user_roles SET role = 'USER' WHERE user_id = ANY ($1)"],
    ['a revoked role', 'DELETE FROM user_roles WHERE user_id = ANY ($1)'],
    ['a revocation of all roles', 'TRUNCATE user_roles'],
  ])('%s waits for the open group', async (_, statement) => {
    const { id } = await person(product, ['ADMIN'])
    const [group, ending] = [
      await product.database.superuser.connect(),
      await product.database.superuser.connect(),
    ]
    try {
      await group.query(`BEGIN; ${shareSql('groups')}`)
      await ending.query("BEGIN; SET LOCAL lock_timeout = '10ms'")
      await expect(
        ending.query(statement, statement.includes('$1') ? [[id]] : []),
      ).rejects.toMatchObject({ code: '55P03' })
    } finally {
      for (const each of [group, ending]) {
        await each.query('ROLLBACK')
        each.release()
      }
    }
  })

  test("no user acts with another user's session", async () => {
    const [investor, other] = [await investorWith(product, 100), await person(product)]
    const [{ hash }] = (await rowsOf(
      `SELECT encode(token_hash, 'hex') AS hash FROM sessions WHERE user_id = '${other.id}'`,
    )) as [{ hash: string }]
    const request = { by: { id: investor.id, from: 'tests', session: hash }, amount: cents(20_00n) }
    await expect(requestWithdrawal(product.context, request)).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    expect(await balanceOf(product, investor)).toBe(100)
  })
})
