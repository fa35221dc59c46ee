import type { Endpoint } from '@pool/contract/endpoint'
import { endpoints } from '@pool/contract/endpoints'
import { cents } from '@pool/contract/money'
import { transactionStory } from '@pool/contract/stories'
import { balance, listTransactions, withdraw } from '@pool/contract/transactions'
import { listUsers, login, REGISTRATION_ROLE, register } from '@pool/contract/users'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endSessionsOf, startSession } from '../sessions/sessions.ts'
import { newAddress } from '../testing/addresses.ts'
import {
  fund,
  investorWith,
  PASSWORD,
  type Person,
  type Product,
  person,
  type Request,
  startProduct,
} from '../testing/product.ts'
import { grantRole, revokeRole } from '../users/roles.ts'

type Name = keyof typeof endpoints
const names = Object.keys(endpoints) as Name[]

let product: Product
let client: Person
let other: Person
let admin: Person
let superAdmin: Person
/** The client's own rows, which every call that can names. */
let transactionId: string
let investmentId: string
/** What each caller sends in the Authorization header; undefined sends none. */
let strangers: Readonly<Record<string, string | undefined>>

const OPERATOR = { name: 'operator', from: 'operator' }
const token = (of: Person) => startSession(product.context.db, of.id)
/** How long ago a session was last used and started, as PostgreSQL writes intervals. */
type Age = { readonly used?: string; readonly made?: string }
/** Tokens of so old sessions. */
const aged = async (...ages: readonly Age[]): Promise<string[]> => {
  const tokens = await Promise.all(ages.map(() => token(superAdmin)))
  await product.database.pool.query(
    `UPDATE sessions SET last_used_at = now() - used, created_at = now() - made
     FROM unnest($1::text[], $2::interval[], $3::interval[]) AS aged(token, used, made)
     WHERE token_hash = sha256(convert_to(token, 'UTF8'))`,
    [tokens, ages.map(({ used = '0' }) => used), ages.map(({ made = '0' }) => made)],
  )
  return tokens
}

beforeAll(async () => {
  product = await startProduct({ DAY_SECONDS: '86400' })
  client = await investorWith(product, 1_000)
  other = await investorWith(product, 1_000)
  admin = await person(product, ['ADMIN'])
  superAdmin = await person(product, ['SUPER_ADMIN'])
  const withdrawn = await product.call(withdraw, {
    token: client.token,
    payload: { userId: client.id, amount: 10 },
  })
  transactionId = (withdrawn.body as { transactionId: string }).transactionId
  const invested = await product.call(endpoints.invest, {
    token: client.token,
    payload: { userId: client.id, amount: 10, durationDays: 1 },
  })
  investmentId = (invested.body as { investmentId: string }).investmentId

  const [ended, demoted] = [
    await person(product, ['SUPER_ADMIN']),
    await person(product, ['SUPER_ADMIN']),
  ]
  await endSessionsOf(product.context.db, ended.id)
  await revokeRole(product.context, { email: demoted.email, role: 'SUPER_ADMIN', by: OPERATOR })
  const good = superAdmin.token
  const [idle, old] = await aged({ used: '15 minutes' }, { made: '12 hours' })
  strangers = {
    'no token': undefined,
    'an empty token': 'Bearer ',
    'a malformed token': 'Bearer not a token',
    'another scheme': `Basic ${good}`,
    'a token without a scheme': good,
    'an unknown token': `Bearer ${'A'.repeat(43)}`,
    'a tampered token': `Bearer ${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`,
    'a token in other case': `Bearer ${good.toLowerCase() === good ? good.toUpperCase() : good.toLowerCase()}`,
    'the hash of a token': `Bearer ${Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(good))).toString('base64url')}`,
    'a token idle for 15 minutes': `Bearer ${idle}`,
    'a token of 12 hours': `Bearer ${old}`,
    'a revoked token': `Bearer ${ended.token}`,
    'a token from before a demotion': `Bearer ${demoted.token}`,
  }
})
afterAll(() => product.close())

const exceptRefusedSignIns: Readonly<Record<string, string>> = {
  audit_entries: " WHERE action <> 'session.refused'",
  tallies: " WHERE kind <> 'session.refused'",
}

/**
 * A digest of every row of every table but those that count attempts and note the use of sessions,
 * and the record of refused sign-ins.
 */
const contents = async (): Promise<string> => {
  const { pool } = product.database
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT IN ('sessions', 'login_throttles', 'audit_unsealed') ORDER BY 1",
  )
  const each = tables.map(
    ({ name }) =>
      `SELECT '${name}', count(*)::text, md5(string_agg(t::text, '' ORDER BY t::text)) FROM ${name} AS t${exceptRefusedSignIns[name] ?? ''}`,
  )
  return JSON.stringify(
    (await pool.query({ text: each.join(' UNION ALL '), rowMode: 'array' })).rows,
  )
}

const send = async (
  endpoint: Endpoint,
  authorization: string | undefined,
  { params = {}, query = {}, payload }: Request,
) => {
  const response = (await product.app.inject({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    ),
    query: { ...query },
    headers: authorization === undefined ? {} : { authorization },
    ...(payload !== undefined && { payload: payload as object }),
    ...(endpoint.streams && { payloadAsStream: true }),
  } as never)) as unknown as {
    statusCode: number
    body: string
    stream?: () => { destroy: () => void }
  }
  if (endpoint.streams) response.stream?.().destroy()
  return { status: response.statusCode, text: endpoint.streams ? '' : response.body }
}

type Expected = {
  readonly client: number
  readonly other: number
  readonly admin: number
  readonly superAdmin: number
}
type Cell = { readonly request: () => Request; readonly roles: Expected; readonly isPublic?: true }

const everybody = (status: number): Expected => ({
  client: status,
  other: status,
  admin: status,
  superAdmin: status,
})
/** The client may, with this outcome; nobody else may for the client. */
const owner = (status: number): Expected => ({
  client: status,
  other: 403,
  admin: 403,
  superAdmin: 403,
})
const staff = (status: number): Expected => ({
  client: 403,
  other: 403,
  admin: status,
  superAdmin: status,
})
const nothing = () => ({})
const NOBODY = '00000000-0000-7000-8000-000000000000'
const registration = () => ({
  username: client.email,
  password: 'a quiet password',
  detail: { firstName: 'A', lastName: 'B', email: client.email },
})

/**
 * Every call, what it is asked, and what each role is answered. A call of the contract without an
 * entry does not compile.
 */
const matrix: Readonly<Record<Name, Cell>> = {
  login: {
    request: () => ({ payload: { username: client.email, password: 'not this one' } }),
    roles: everybody(401),
    isPublic: true,
  },
  register: { request: () => ({ payload: registration() }), roles: everybody(409), isPublic: true },
  listNetworks: { request: nothing, roles: everybody(200), isPublic: true },
  poolFigures: { request: nothing, roles: everybody(200), isPublic: true },
  listPauses: { request: nothing, roles: everybody(200), isPublic: true },
  readiness: { request: nothing, roles: everybody(200), isPublic: true },
  health: { request: nothing, roles: everybody(200), isPublic: true },

  currentUser: { request: () => ({ query: { username: client.email } }), roles: owner(200) },
  balance: { request: () => ({ payload: { userId: client.id } }), roles: owner(200) },
  listInvestments: { request: () => ({ params: { userId: client.id } }), roles: owner(200) },
  deposit: { request: () => ({ payload: { userId: client.id, amount: 20 } }), roles: owner(200) },
  withdraw: { request: () => ({ payload: { userId: client.id, amount: 10 } }), roles: owner(200) },
  invest: {
    request: () => ({ payload: { userId: client.id, amount: 10, durationDays: 1 } }),
    roles: owner(200),
  },
  listTransactions: { request: nothing, roles: everybody(200) },
  userFigures: { request: nothing, roles: everybody(200) },
  events: { request: nothing, roles: everybody(200) },
  changePassword: {
    request: () => ({ payload: { password: 'not this one', newPassword: 'a quiet password' } }),
    roles: everybody(403),
  },
  logout: { request: nothing, roles: everybody(200) },
  payoutAddress: { request: nothing, roles: everybody(200) },
  savePayoutAddress: {
    request: () => ({ payload: { address: newAddress(), networkName: 'Bitcoin' } }),
    roles: everybody(200),
  },
  transactionStory: {
    request: () => ({ params: { id: transactionId } }),
    roles: { ...everybody(200), other: 404 },
  },
  investmentStory: {
    request: () => ({ params: { id: investmentId } }),
    roles: { ...everybody(200), other: 404 },
  },

  totalBalance: { request: nothing, roles: staff(200) },
  adminFigures: { request: nothing, roles: staff(200) },
  listAllInvestments: { request: nothing, roles: staff(200) },
  checkMaturities: { request: nothing, roles: staff(200) },
  listWallets: { request: nothing, roles: staff(200) },
  createWallet: {
    request: () => ({ payload: { address: newAddress(), networkName: 'Bitcoin' } }),
    roles: staff(200),
  },
  deleteWallet: { request: () => ({ params: { id: NOBODY } }), roles: staff(404) },
  confirm: { request: () => ({ payload: { transactionId } }), roles: staff(409) },
  approve: { request: () => ({ payload: { transactionId, userId: other.id } }), roles: staff(409) },
  reject: {
    request: () => ({ params: { id: NOBODY }, payload: { reason: '' } }),
    roles: staff(404),
  },
  rejectByPayload: { request: () => ({ payload: { transactionId: NOBODY } }), roles: staff(404) },
  rejectByPut: {
    request: () => ({ params: { id: NOBODY }, payload: { reason: '' } }),
    roles: staff(404),
  },
  approvalLimits: { request: nothing, roles: staff(200) },
  listAudit: { request: nothing, roles: staff(200) },
  listUsers: { request: nothing, roles: { ...everybody(403), superAdmin: 200 } },
  pause: {
    request: () => ({ params: { name: 'deposits' }, payload: { reason: 'A drill' } }),
    roles: { ...everybody(403), superAdmin: 200 },
  },
  resume: {
    request: () => ({ params: { name: 'deposits' } }),
    roles: { ...everybody(403), superAdmin: 200 },
  },
}

let cells = 0

describe.each(names)('%s', (name) => {
  const endpoint: Endpoint = endpoints[name]
  const { request, roles, isPublic = false } = matrix[name]

  test('answers every stranger with 401, and nothing changes', async () => {
    const before = await contents()
    for (const [who, authorization] of Object.entries(strangers)) {
      const { status } = await send(endpoint, authorization, request())
      expect([who, status]).toEqual([who, isPublic ? roles.client : 401])
      expect([who, await contents()]).toEqual([who, before])
      cells += 1
    }
  })

  test.each(['client', 'other', 'admin', 'superAdmin'] as const)(
    'answers %s as the matrix says; refused, nothing changes',
    async (role) => {
      if (name === 'deposit')
        await product.call(endpoints.createWallet, {
          token: admin.token,
          payload: { address: newAddress(), networkName: 'Bitcoin' },
        })
      const before = await contents()
      const caller = { client, other, admin, superAdmin }[role]
      // That call ends the session which makes it.
      const bearer = name === 'logout' ? await token(caller) : caller.token
      const { status } = await send(endpoint, `Bearer ${bearer}`, request())
      expect(status).toBe(roles[role])
      if (status >= 400) expect(await contents()).toBe(before)
      cells += 1
    },
  )
})

test('the matrix has an entry for every call and at least 480 cells', () => {
  expect(Object.keys(matrix).sort()).toEqual([...names].sort())
  for (const name of names)
    expect([name, endpoints[name].access === 'public']).toEqual([
      name,
      matrix[name].isPublic ?? false,
    ])
  expect(cells).toBe(names.length * (Object.keys(strangers).length + 4))
  expect(cells).toBeGreaterThanOrEqual(480)
})

describe('a session', () => {
  const ask = async (bearer: string) =>
    (await product.call(listTransactions, { token: bearer })).status

  test('lives until just before its 15 minutes without a call and its 12 hours, and not longer', async () => {
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

  test('that loses or gains a right knows it on the very next call', async () => {
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

test('nobody reads or writes what is another client’s, in 2,000 pairs', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => person(product)))
  const rows = new Map<string, string>()
  for (const each of people) {
    await fund(product, each, cents(5_000n))
    const { body } = await product.call(withdraw, {
      token: each.token,
      payload: { userId: each.id, amount: 10 },
    })
    rows.set(each.id, (body as { transactionId: string }).transactionId)
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
}, 120_000)

test('two hundred ways to ask for a role make nobody more than a client', async () => {
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
}, 120_000)

test('no page of another site can make a browser write anything, in ten ways', async () => {
  const origin = 'https://elsewhere.example'
  const writes = names
    .map((name) => ({ name, endpoint: endpoints[name] as Endpoint }))
    .filter(({ endpoint }) => endpoint.method !== 'GET')
  const before = await contents()
  const shapes: readonly ((body: string) => {
    headers: Record<string, string>
    payload?: string
    method?: string
    query?: string
  })[] = [
    (payload) => ({ headers: { 'content-type': 'text/plain' }, payload }),
    (payload) => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `${payload}=`,
    }),
    (payload) => ({
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: `--x\r\n\r\n${payload}\r\n--x--`,
    }),
    (payload) => ({ headers: {}, payload }),
    (payload) => ({
      headers: { 'content-type': 'application/json', cookie: `token=${superAdmin.token}` },
      payload,
    }),
    (payload) => ({
      headers: { 'content-type': 'application/json' },
      payload,
      query: `token=${client.token}&access_token=${client.token}`,
    }),
    () => ({ headers: {}, method: 'GET', query: `userId=${client.id}&amount=10` }),
    (payload) => ({
      headers: { 'content-type': 'text/plain', 'x-http-method-override': 'POST' },
      payload,
      method: 'GET',
    }),
    () => ({
      headers: {
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
      method: 'OPTIONS',
    }),
    (payload) => ({
      headers: { 'content-type': 'text/json', authorization: `Bearer ${client.token}` },
      payload,
    }),
  ]
  for (const { name, endpoint } of writes) {
    const { params = {}, payload } = matrix[name].request()
    for (const [n, shape] of shapes.entries()) {
      const { headers, method, query = '', payload: body } = shape(JSON.stringify(payload ?? {}))
      const answer = await product.app.inject({
        method: (method ?? endpoint.method) as 'POST',
        url: `${endpoint.path.replace(/\{(\w+)\}/g, (_, key: string) => params[key] ?? '')}?${query}`,
        headers: { origin, 'sec-fetch-site': 'cross-site', ...headers },
        ...(body !== undefined && { payload: body }),
      })
      expect([
        name,
        n,
        answer.headers['access-control-allow-origin'],
        answer.headers['set-cookie'],
      ]).toEqual([name, n, undefined, undefined])
    }
  }
  expect(await contents()).toBe(before)
})

test('login gives nobody a session without their password', async () => {
  const before = await product.database.pool.query('SELECT count(*) FROM sessions')
  for (const password of [
    'not this one',
    PASSWORD.toUpperCase(),
    `${PASSWORD} `,
    PASSWORD.slice(0, -1),
  ])
    expect(
      (await product.call(login, { payload: { username: client.email, password } })).status,
    ).toBe(401)
  expect((await product.database.pool.query('SELECT count(*) FROM sessions')).rows).toEqual(
    before.rows,
  )
})
