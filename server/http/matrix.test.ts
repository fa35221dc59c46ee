import type { Endpoint } from '@pool/contract/endpoint'
import { endpoints } from '@pool/contract/endpoints'
import { withdraw } from '@pool/contract/transactions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endSessionsOf, startSession } from '../sessions/sessions.ts'
import { newAddress } from '../testing/addresses.ts'
import { digestOf } from '../testing/contents.ts'
import {
  investorWith,
  type Person,
  type Product,
  person,
  type Request,
  startProduct,
} from '../testing/product.ts'
import { type Age, agedTokens } from '../testing/sessions.ts'
import { revokeRole } from '../users/roles.ts'

type Name = keyof typeof endpoints
const names = Object.keys(endpoints) as Name[]

let product: Product
let investor: Person
let other: Person
let admin: Person
let superAdmin: Person
/** The investor's own rows, used by every call that names rows. */
let transactionId: string
let investmentId: string
/** Authorization headers of callers without a valid session. Undefined sends none. */
let strangers: Readonly<Record<string, string | undefined>>

const OPERATOR = { name: 'operator', from: 'operator' }
const token = (of: Person) => startSession(product.context.db, of.id)
const aged = (...ages: readonly Age[]) => agedTokens(product, superAdmin, ages)

beforeAll(async () => {
  product = await startProduct({ DAY_SECONDS: '86400' })
  investor = await investorWith(product, 1_000)
  other = await investorWith(product, 1_000)
  admin = await person(product, ['ADMIN'])
  superAdmin = await person(product, ['SUPER_ADMIN'])
  const withdrawn = await product.call(withdraw, {
    token: investor.token,
    payload: { userId: investor.id, amount: 10 },
  })
  transactionId = (withdrawn.body as { transactionId: string }).transactionId
  const invested = await product.call(endpoints.invest, {
    token: investor.token,
    payload: { userId: investor.id, amount: 10, durationDays: 1 },
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

const contents = () => digestOf(product)

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
  readonly investor: number
  readonly other: number
  readonly admin: number
  readonly superAdmin: number
}
type Cell = { readonly request: () => Request; readonly roles: Expected; readonly isPublic?: true }

const everybody = (status: number): Expected => ({
  investor: status,
  other: status,
  admin: status,
  superAdmin: status,
})
/** The investor gets this status, and every other user is refused. */
const owner = (status: number): Expected => ({
  investor: status,
  other: 403,
  admin: 403,
  superAdmin: 403,
})
const staff = (status: number): Expected => ({
  investor: 403,
  other: 403,
  admin: status,
  superAdmin: status,
})
const nothing = () => ({})
const NOBODY = '00000000-0000-7000-8000-000000000000'
const registration = () => ({
  username: investor.email,
  password: 'a quiet password',
  detail: { firstName: 'A', lastName: 'B', email: investor.email },
})

/** Request and expected status by role for every call. A missing call does not compile. */
const matrix: Readonly<Record<Name, Cell>> = {
  login: {
    request: () => ({ payload: { username: investor.email, password: 'not this one' } }),
    roles: everybody(401),
    isPublic: true,
  },
  register: { request: () => ({ payload: registration() }), roles: everybody(409), isPublic: true },
  listNetworks: { request: nothing, roles: everybody(200), isPublic: true },
  poolFigures: { request: nothing, roles: everybody(200), isPublic: true },
  listPauses: { request: nothing, roles: everybody(200), isPublic: true },
  readiness: { request: nothing, roles: everybody(200), isPublic: true },
  health: { request: nothing, roles: everybody(200), isPublic: true },

  currentUser: { request: () => ({ query: { username: investor.email } }), roles: owner(200) },
  balance: { request: () => ({ payload: { userId: investor.id } }), roles: owner(200) },
  listInvestments: { request: () => ({ params: { userId: investor.id } }), roles: owner(200) },
  deposit: { request: () => ({ payload: { userId: investor.id, amount: 20 } }), roles: owner(200) },
  withdraw: {
    request: () => ({ payload: { userId: investor.id, amount: 10 } }),
    roles: owner(200),
  },
  invest: {
    request: () => ({ payload: { userId: investor.id, amount: 10, durationDays: 1 } }),
    roles: owner(200),
  },
  listTransactions: { request: nothing, roles: everybody(200) },
  userFigures: { request: nothing, roles: everybody(200) },
  changeStream: { request: nothing, roles: everybody(200) },
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

  test('answers every stranger with 401 and changes nothing', async () => {
    const before = await contents()
    for (const [who, authorization] of Object.entries(strangers)) {
      const { status } = await send(endpoint, authorization, request())
      expect([who, status]).toEqual([who, isPublic ? roles.investor : 401])
      expect([who, await contents()]).toEqual([who, before])
      cells += 1
    }
  })

  test.each(['investor', 'other', 'admin', 'superAdmin'] as const)(
    'answers %s as expected and writes nothing when refused',
    async (role) => {
      if (name === 'deposit')
        await product.call(endpoints.createWallet, {
          token: admin.token,
          payload: { address: newAddress(), networkName: 'Bitcoin' },
        })
      const before = await contents()
      const caller = { investor, other, admin, superAdmin }[role]
      // Logout ends its session, so it needs a new one.
      const bearer = name === 'logout' ? await token(caller) : caller.token
      const { status } = await send(endpoint, `Bearer ${bearer}`, request())
      expect(status).toBe(roles[role])
      if (status >= 400) expect(await contents()).toBe(before)
      cells += 1
    },
  )
})

test('the matrix covers every call in at least 480 cells', () => {
  expect(Object.keys(matrix).sort()).toEqual([...names].sort())
  for (const name of names)
    expect([name, endpoints[name].access === 'public']).toEqual([
      name,
      matrix[name].isPublic ?? false,
    ])
  expect(cells).toBe(names.length * (Object.keys(strangers).length + 4))
  expect(cells).toBeGreaterThanOrEqual(480)
})

test('no page of another site can make a browser write', async () => {
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
      query: `token=${investor.token}&access_token=${investor.token}`,
    }),
    () => ({ headers: {}, method: 'GET', query: `userId=${investor.id}&amount=10` }),
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
      headers: { 'content-type': 'text/json', authorization: `Bearer ${investor.token}` },
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
