import { listUsers, login, REGISTRATION_ROLE, register } from '@pool/contract/accounts/users'
import type { Endpoint } from '@pool/contract/base/endpoint'
import { endpoints } from '@pool/contract/base/endpoints'
import { cents } from '@pool/contract/base/money'
import { withdraw } from '@pool/contract/requests/requests'
import { transactionStory } from '@pool/contract/requests/stories'
import { balance, listTransactions } from '@pool/contract/requests/transactions'
import { beforeAll, describe, expect, test } from 'vitest'
import { grantRole, revokeRole } from '../../accounts/users/roles.ts'
import { startSession } from '../../base/sessions/sessions.ts'
import { digestOf } from '../../testing/contents.ts'
import {
  fund,
  investorWith,
  PASSWORD,
  type Person,
  person,
  testProduct,
} from '../../testing/product.ts'
import type { Request } from '../../testing/request.ts'
import { type Age, agedTokens } from '../../testing/sessions.ts'

const product = testProduct({ DAY_SECONDS: '86400' })
let investor: Person
let superAdmin: Person
beforeAll(async () => {
  investor = await investorWith(product, 1_000)
  superAdmin = await person(product, ['SUPER_ADMIN'])
})

const OPERATOR = { name: 'operator', from: 'operator' }
const token = (of: Person) => startSession(product.context, of.id)
const aged = (...ages: readonly Age[]) => agedTokens(product, superAdmin, ages)
const contents = () => digestOf(product)

describe('a session', () => {
  const ask = async (bearer: string) =>
    (await product.call(listTransactions, { token: bearer })).status

  test('ends after 15 idle minutes or 12 hours', async () => {
    const tooOld = Array.from({ length: 20 }, (_, n) => [
      { used: `${15 + n} minutes` },
      { made: `${12 + n} hours` },
    ]).flat()
    const [used = '', made = '', ...ended] = await aged(
      { used: '14 minutes 50 seconds' },
      { made: '11 hours 59 minutes' },
      ...tooOld,
    )
    expect([await ask(used), await ask(made)]).toEqual([200, 200])
    expect(ended).toHaveLength(40)
    for (const [n, each] of ended.entries())
      expect([tooOld[n], await ask(each)]).toEqual([tooOld[n], 401])
  })

  test('gets or loses a right at its next call', async () => {
    for (let n = 0; n < 10; n += 1) {
      const someone = await person(product)
      const users = async (bearer: string) =>
        (await product.call(listUsers, { token: bearer })).status
      expect(await users(someone.token)).toBe(403)
      await grantRole(product.context, { email: someone.email, role: 'SUPER_ADMIN', by: OPERATOR })
      expect(await users(await token(someone))).toBe(200)
      const stolen = await token(someone)
      await revokeRole(product.context, { email: someone.email, role: 'SUPER_ADMIN', by: OPERATOR })
      expect(await users(stolen)).toBe(401)
      expect(await users(await token(someone))).toBe(403)
    }
  })
})

test('no investor reads or writes another investor’s rows', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => person(product)))
  const rows = new Map<string, string>()
  for (const each of people) {
    await fund(product, each, cents(5_000n))
    const { body } = await product.call(withdraw, {
      token: each.token,
      payload: { userId: each.id, amount: 10 },
    })
    rows.set(each.id, body.transactionId)
  }
  const tries: readonly ((victim: Person) => readonly [Endpoint, Request])[] = [
    ({ id }) => [balance, { payload: { userId: id } }],
    ({ id }) => [endpoints.deposit, { payload: { userId: id, amount: 20 } }],
    ({ id }) => [withdraw, { payload: { userId: id, amount: 10 } }],
    ({ id }) => [endpoints.invest, { payload: { userId: id, amount: 10, durationDays: 1 } }],
    ({ id }) => [endpoints.listInvestments, { params: { userId: id } }],
    ({ id }) => [balance, { payload: { userId: id.toUpperCase() } }],
    ({ email }) => [endpoints.currentUser, { query: { username: email } }],
    ({ id }) => [transactionStory, { params: { id: rows.get(id) ?? '' } }],
    ({ id }) => [listTransactions, { query: { search: id } }],
    ({ id }) => [listTransactions, { query: { search: rows.get(id) ?? '' } }],
  ]
  const before = await contents()
  let pairs = 0
  for (let round = 0; pairs < 2_000; round += 1) {
    for (const thief of people) {
      for (const victim of people.filter(({ id }) => id !== thief.id)) {
        const [endpoint, request] = tries[(round + pairs) % tries.length]?.(victim) ?? [balance, {}]
        const answer = await product.call(endpoint, { ...request, token: thief.token })
        pairs += 1
        if (endpoint === listTransactions) expect(answer).toMatchObject({ status: 200, body: [] })
        else expect([403, 404]).toContain(answer.status)
        expect(JSON.stringify(answer.body)).not.toContain(victim.email)
      }
    }
  }
  expect(await contents()).toBe(before)
})

test('no registration request gains a staff role', async () => {
  const wishes = [
    'ADMIN',
    'SUPER_ADMIN',
    'admin',
    'Super_Admin',
    'USER,ADMIN',
    'ADMIN\u0000',
    ' ADMIN',
    'ADMIN;USER',
    '*',
    'true',
  ]
  const inQuery = wishes.flatMap((wish) =>
    [
      'role',
      'roles',
      'role[]',
      'roles[]',
      'Role',
      'ROLE',
      'role[type]',
      '__proto__[role]',
      'constructor[prototype][role]',
    ].flatMap((name) => [
      { query: `${encodeURIComponent(name)}=${encodeURIComponent(wish)}`, payload: {} },
    ]),
  )
  const twice = wishes.map((wish) => ({
    query: `role=${REGISTRATION_ROLE}&role=${encodeURIComponent(wish)}`,
    payload: {},
  }))
  const inPayload = wishes.flatMap((wish) =>
    [
      { role: wish },
      { roles: [wish] },
      { roles: [{ type: wish }] },
      { role: { type: wish } },
      { detail: { firstName: 'A', lastName: 'B', role: wish, roles: [{ type: wish }] } },
      { user_roles: [wish], isAdmin: true, is_admin: 1 },
      { type: wish, userType: wish, access: wish },
      { 'roles[]': wish, 'role[]': wish },
      { constructor: { prototype: { role: wish } } },
      { authorities: [wish], permissions: [wish], scope: wish },
    ].map((payload) => ({ query: '', payload })),
  )
  const raw = wishes.map((wish) => ({
    query: '',
    payload: `"__proto__":{"role":${JSON.stringify(wish)},"roles":[{"type":${JSON.stringify(wish)}}]}`,
  }))
  const variants = [...inQuery, ...twice, ...inPayload, ...raw]
  expect(variants.length).toBeGreaterThanOrEqual(200)
  const staffOf = async () =>
    (
      await product.database.pool.query(
        "SELECT * FROM user_roles WHERE role <> 'USER' ORDER BY 1, 2",
      )
    ).rows
  const before = await staffOf()
  let made = 0
  for (const [n, { query, payload }] of variants.entries()) {
    const username = `wish-${n}@example.com`
    const plain = {
      username,
      password: 'a quiet password',
      detail: { firstName: 'A', lastName: 'B', email: username },
    }
    const body =
      typeof payload === 'string'
        ? `${JSON.stringify(plain).slice(0, -1)},${payload}}`
        : JSON.stringify({
            ...plain,
            ...payload,
            detail: { ...plain.detail, ...('detail' in payload ? (payload.detail as object) : {}) },
          })
    const answer = await product.app.inject({
      method: 'POST',
      url: `${register.path}?${query}`,
      headers: { 'content-type': 'application/json' },
      payload: body,
    })
    expect([200, 400]).toContain(answer.statusCode)
    if (answer.statusCode === 200) made += 1
  }
  expect(await staffOf()).toEqual(before)
  const { rows } = await product.database.pool.query(
    "SELECT role FROM user_roles JOIN users ON id = user_id WHERE username LIKE 'wish-%'",
  )
  expect(rows).toEqual(Array.from({ length: made }, () => ({ role: 'USER' })))
})

test('login gives no session without the right password', async () => {
  const before = await product.database.pool.query('SELECT count(*) FROM sessions')
  for (const password of [
    'not this one',
    PASSWORD.toUpperCase(),
    `${PASSWORD} `,
    PASSWORD.slice(0, -1),
  ])
    expect(
      (await product.call(login, { payload: { username: investor.email, password } })).status,
    ).toBe(401)
  expect((await product.database.pool.query('SELECT count(*) FROM sessions')).rows).toEqual(
    before.rows,
  )
})
