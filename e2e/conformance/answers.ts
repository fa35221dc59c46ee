import type { CDPSession, Page } from '@playwright/test'
import { roleTypes, type User } from '@pool/contract/accounts/users'
import type { Endpoint } from '@pool/contract/base/endpoint'
import { endpoints } from '@pool/contract/base/endpoints'
import { networks } from '@pool/contract/base/networks'
import type { Wallet } from '@pool/contract/chain/wallets'
import type { AdminInvestment, Investment } from '@pool/contract/money/investments'
import type { Transaction } from '@pool/contract/requests/transactions'

/**
 * Answers the product's calls in place of its server, also as our server never does, and records
 * them.
 */

export const USER_ID = '0f9b7c52-6f6e-4f0e-9b57-6f2d2a4b1c01'
export const EMAIL = 'ada@example.com'
export const TOKEN = 'T0ken-of-Ada'

type Name = keyof typeof endpoints

/** A reply to a call: a response, silence, or a broken connection. */
export type Reply = { readonly status: number; readonly text: string } | 'silence' | 'refused'

export const answer = (status: number, envelope: unknown): Reply => ({
  status,
  text: JSON.stringify(envelope),
})
export const ok = (body: unknown, narration = 'OK'): Reply =>
  answer(200, { successful: true, narration, body })
export const no = (status: number, narration = ''): Reply =>
  answer(status, { successful: false, narration, body: null })
/** A response without an envelope. */
export const page = (status: number): Reply => ({
  status,
  text: '<!doctype html><title>Not ours</title>',
})

/** One call of the web app. */
export type Call = {
  readonly name: Name
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly payload: unknown
}

/** One reply for every call of a name, or a function of the call and the number of calls before. */
type Replies = Partial<
  Record<Name, Reply | ((call: Call, before: number) => Reply | Promise<Reply>)>
>

export const transaction = (differs: Partial<Transaction> = {}): Transaction => ({
  id: 'a3e1c2d4-0000-4000-8000-000000000001',
  transactionId: differs.id ?? 'a3e1c2d4-0000-4000-8000-000000000001',
  userId: USER_ID,
  username: EMAIL,
  userEmail: EMAIL,
  type: 'deposit',
  amount: 75,
  status: 'PENDING',
  description: '',
  walletAddress: '',
  networkName: '',
  destinationAddress: '',
  reason: '',
  evidence: '',
  approvalsNeeded: 1,
  createdAt: [2026, 3, 4, 5, 6, 7, 0],
  updatedAt: [2026, 3, 5, 5, 6, 7, 0],
  ...differs,
})

const investmentBase = {
  id: 'b3e1c2d4-0000-4000-8000-000000000001',
  investmentId: 'b3e1c2d4-0000-4000-8000-000000000001',
  userId: USER_ID,
  userName: EMAIL,
  userEmail: EMAIL,
  type: 'investment' as const,
  amount: 100,
  interest: 7,
  returnAmount: 7,
  durationDays: 12,
  status: 'ACTIVE' as const,
  description: '',
  createdAt: [2026, 3, 4, 5, 6, 7, 0],
  updatedAt: [2026, 3, 4, 5, 6, 7, 0],
}
export const investment = (differs: Partial<Investment> = {}): Investment => ({
  ...investmentBase,
  maturityDate: [2026, 3, 16, 5, 6, 7, 0],
  ...differs,
})
export const adminInvestment = (differs: Partial<AdminInvestment> = {}): AdminInvestment => ({
  ...investmentBase,
  maturityDate: [2026, 3, 16],
  ...differs,
})

export const user = (differs: Partial<User> = {}): User => ({
  id: USER_ID,
  username: EMAIL,
  detail: { firstName: 'Ada', lastName: 'Lovelace', email: EMAIL },
  roles: [{ type: 'USER' }],
  dateCreated: [2026, 1, 2, 3, 4, 5, 0],
  lastUpdated: [2026, 1, 2, 3, 4, 5, 0],
  suspended: false,
  closed: false,
  ...differs,
})

export const wallet = (differs: Partial<Wallet> = {}): Wallet => ({
  id: 'c3e1c2d4-0000-4000-8000-000000000001',
  address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  networkName: 'Bitcoin',
  assigned: false,
  dateCreated: [2026, 2, 3, 4, 5, 6, 0],
  ...differs,
})

/** A row without some fields, as a server may forget them. */
export const without = <Row extends object>(
  row: Row,
  ...fields: readonly (keyof Row)[]
): Partial<Row> =>
  Object.fromEntries(
    Object.entries(row).filter(([name]) => !fields.includes(name as keyof Row)),
  ) as Partial<Row>

const decided = ok({ transactionId: transaction().id, status: 'APPROVED', reason: '' })

const usual = {
  login: ok({ token: TOKEN, userId: USER_ID, username: EMAIL, roles: [{ type: 'USER' }] }),
  register: ok({ token: '', userId: USER_ID, username: EMAIL }),
  // The stored roles stay, since a look-up without roles changes none.
  currentUser: ok(without(user(), 'roles')),
  listUsers: ok([user()]),
  balance: ok(1_000),
  totalBalance: ok(5_000),
  deposit: ok({
    address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    networkName: 'Bitcoin',
    transactionId: transaction().id,
    amount: 75,
  }),
  withdraw: ok({
    transactionId: transaction().id,
    amount: 50,
    status: 'PENDING',
    destinationAddress: '',
  }),
  listTransactions: ok([]),
  approve: decided,
  confirm: decided,
  reject: decided,
  rejectByPayload: decided,
  rejectByPut: decided,
  invest: ok(without(investment(), 'id')),
  listInvestments: ok([]),
  listAllInvestments: ok([]),
  checkMaturities: ok({ matured: 0, paid: 0 }),
  listNetworks: ok(networks),
  listWallets: ok([]),
  listWaiting: ok([]),
  listKeys: ok([]),
  listRates: ok([]),
  createWallet: ok(wallet()),
  deleteWallet: ok({ id: wallet().id }),
  listPauses: ok([]),
  health: ok({ database: 'up' }),
} as const satisfies Replies

const known = (Object.entries(endpoints) as [Name, Endpoint][])
  // '/investments/get-all' comes before '/investments/{userId}': literal paths match first.
  .sort(([, a], [, b]) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
  .map(([name, { method, path }]) => ({
    name,
    method,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))

/** A request in the browser's own protocol. */
type Paused = Readonly<{
  requestId: string
  request: Readonly<{
    url: string
    method: string
    headers: Readonly<Record<string, string>>
    postData?: string
  }>
}>

const readCall = ({ url, method, headers, postData }: Paused['request']): Call | null => {
  const { pathname, searchParams } = new URL(url)
  const found = known.find((each) => each.method === method && each.pattern.test(pathname))
  if (!found) return null
  return {
    name: found.name,
    method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    payload: postData === undefined ? null : JSON.parse(postData),
  }
}

type WireRow = Readonly<Record<string, unknown>>

/** The value that a filter compares, for fields under another name. */
const filtered: Readonly<Record<string, (row: WireRow) => unknown>> = {
  status: ({ status, assigned }) => status ?? (assigned ? 'assigned' : 'available'),
  role: ({ roles }) =>
    roleTypes.findLast((role) => JSON.stringify(roles ?? []).includes(`"${role}"`)),
  network: ({ networkName }) => networkName,
}

/**
 * Answers a call with a `limit` as the server does: filtered rows, at most that many, and the
 * total.
 */
const paged = (reply: Reply, { name, query }: Call): Reply => {
  const { paged: offered }: Endpoint = endpoints[name]
  if (!offered || query.limit === undefined || typeof reply === 'string' || reply.status !== 200)
    return reply
  const envelope = JSON.parse(reply.text)
  if (!Array.isArray(envelope.body)) return reply
  const matches = (row: WireRow) =>
    Object.keys(offered.filters).every((filter) => {
      const value = filtered[filter]?.(row) ?? row[filter]
      return !query[filter] || query[filter].split(',').includes(String(value))
    })
  const rows = envelope.body.filter(matches)
  return answer(200, {
    ...envelope,
    body: rows.slice(0, Number(query.limit)),
    page: { total: rows.length, next: null },
  })
}

const send = async (browser: CDPSession, requestId: string, reply: Reply): Promise<void> => {
  if (reply === 'silence') return
  if (reply === 'refused') {
    await browser.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionRefused' })
    return
  }
  await browser.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: reply.status,
    responseHeaders: [{ name: 'content-type', value: 'application/json' }],
    body: Buffer.from(reply.text).toString('base64'),
  })
}

/**
 * Answers every call of `page`, as usual except for `replies`, and returns the growing list of
 * calls. Unlike `page.route`, it intercepts no scripts and pictures, so their cache works.
 */
export const serve = async (page: Page, replies: Replies = {}): Promise<Call[]> => {
  const calls: Call[] = []
  const browser = await page.context().newCDPSession(page)
  const reply = async ({ requestId, request }: Paused): Promise<void> => {
    const call = readCall(request)
    // A call without a reply waits for ever, so the screen stays unchanged.
    if (!call) return
    const before = calls.filter(({ name }) => name === call.name).length
    calls.push(call)
    const reply = replies[call.name] ?? (usual as Replies)[call.name] ?? 'silence'
    await send(
      browser,
      requestId,
      paged(typeof reply === 'function' ? await reply(call, before) : reply, call),
    )
  }
  // A page that was closed meanwhile needs no response.
  browser.on('Fetch.requestPaused', (paused) => void reply(paused).catch(() => undefined))
  await browser.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/v1/*' }] })
  served.set(page, browser)
  return calls
}

const served = new WeakMap<Page, CDPSession>()

/** Leaves the calls of `page` to the server again. */
export const leave = async (page: Page): Promise<void> => {
  await served.get(page)?.detach()
  served.delete(page)
}

/** The calls of these names, in order, as 'METHOD /path'. */
export const made = (calls: readonly Call[], ...names: readonly Name[]): string[] =>
  calls
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .map(({ method, path }) => `${method} ${path}`)

/** The calls of one name. */
export const of = (calls: readonly Call[], name: Name): Call[] =>
  calls.filter((call) => call.name === name)
