import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '@pool/contract/base/endpoint'
import { endpoints } from '@pool/contract/base/endpoints'
import { withdraw } from '@pool/contract/requests/requests'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LaggingReads } from '../../base/db/replica.ts'
import { startSession } from '../../base/sessions/sessions.ts'
import { newAddress } from '../../testing/addresses.ts'
import {
  type Cell,
  everybody,
  mailsAll,
  NOBODY,
  NOTE,
  newWallet,
  nothing,
  owner,
  readingKeyCells,
  readsAll,
  rejection,
  sends,
  sent,
  staff,
  superAdmins,
  TOKEN,
  takingCells,
} from '../../testing/cells.ts'
import { digestOf } from '../../testing/contents.ts'
import { crossSiteShapes } from '../../testing/crossSite.ts'
import * as factors from '../../testing/factorRequests.ts'
import { loanCells, poolCells } from '../../testing/loanRequests.ts'
import {
  investorWith,
  type Person,
  type Product,
  person,
  startProduct,
  wallets,
} from '../../testing/product.ts'
import { refusingReplica } from '../../testing/refusingReplica.ts'
import type { Request } from '../../testing/request.ts'
import { strangersTo } from '../../testing/strangers.ts'

const UNAUTHORIZED = 'Unauthorized. Please login again.'

type Name = keyof typeof endpoints
const names = Object.keys(endpoints) as Name[]

let product: Product
let investor: Person
let other: Person
let admin: Person
let superAdmin: Person
let auditor: Person
let frozen: Person
/** The investor's own rows, used by every call that names rows. */
let transactionId: string
let investmentId: string
/** Calls that might read from the replica, which refuses all. */
const lagging: LaggingReads[] = []
let strangers: Awaited<ReturnType<typeof strangersTo>>

const token = (of: Person) => startSession(product.context, of.id)

beforeAll(async () => {
  product = await startProduct({ DAY_SECONDS: '86400' }, { replica: refusingReplica(lagging) })
  investor = await investorWith(product, 1_000)
  other = await investorWith(product, 1_000)
  admin = await person(product, ['ADMIN'])
  superAdmin = await person(product, ['SUPER_ADMIN'])
  auditor = await person(product, ['AUDITOR'])
  frozen = await person(product, ['SUPER_ADMIN'])
  await product.database.superuser.query(
    `UPDATE users SET frozen_at = now(), frozen_since = now() WHERE id = '${frozen.id}'`,
  )
  const withdrawn = await product.call(withdraw, {
    token: investor.token,
    payload: { userId: investor.id, amount: 10 },
  })
  transactionId = withdrawn.body.transactionId
  const invested = await product.call(endpoints.invest, {
    token: investor.token,
    payload: { userId: investor.id, amount: 10, durationDays: 1 },
  })
  investmentId = invested.body.investmentId
  strangers = await strangersTo(product, superAdmin)
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

const signedFile = { params: { id: NOBODY }, payload: { text: 'x' } }
const own = () => ({ params: { id: transactionId } })
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
  // An unknown email, since a known one would get a mail.
  forgotPassword: {
    request: () => ({ payload: { username: 'nobody@example.com' } }),
    roles: everybody(200),
    isPublic: true,
  },
  resetPassword: {
    request: () => ({ payload: { token: 'A'.repeat(43), newPassword: 'a quiet password' } }),
    roles: everybody(400),
    isPublic: true,
  },
  acceptInvite: {
    request: sends({ token: TOKEN, newPassword: 'a quiet password' }),
    roles: everybody(400),
    isPublic: true,
  },
  freezeAccount: { request: sends({ token: TOKEN }), roles: everybody(400), isPublic: true },
  confirmEmail: { request: sends({ token: TOKEN }), roles: everybody(400), isPublic: true },
  askEmailLink: { request: nothing, roles: everybody(409) },
  changeEmail: { request: sends({ password: 'not it', email: 'a@b.co' }), roles: everybody(403) },
  checkDestination: { request: sends({ destination: 'rent' }), roles: everybody(200) },
  depositTerms: { request: nothing, roles: everybody(200) },
  listNetworks: { request: nothing, roles: everybody(200), isPublic: true },
  ...poolCells({ everybody, staff, superAdmins }),
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
  listSessions: { request: nothing, roles: everybody(200) },
  endSession: { request: () => ({ params: { id: NOBODY } }), roles: everybody(404) },
  endOtherSessions: { request: nothing, roles: everybody(200) },
  ...readingKeyCells,
  listNotices: { request: nothing, roles: everybody(200) },
  readNotices: { request: readsAll, roles: everybody(200) },
  noticePreferences: { request: nothing, roles: everybody(200) },
  saveNoticePreferences: { request: mailsAll, roles: everybody(200) },
  payoutAddress: { request: nothing, roles: everybody(200) },
  savePayoutAddress: { request: newWallet, roles: everybody(200) },
  listFactors: { request: nothing, roles: everybody(200) },
  beginTotp: { request: () => factors.begin, roles: everybody(403) },
  confirmTotp: { request: () => factors.confirmTotp, roles: everybody(403) },
  beginPasskey: { request: () => factors.begin, roles: everybody(403) },
  confirmPasskey: { request: () => factors.confirmPasskey, roles: everybody(403) },
  passkeyOptions: { request: nothing, roles: everybody(200) },
  passkeySignInOptions: { request: nothing, roles: everybody(200), isPublic: true },
  passkeySignIn: { request: () => factors.passkeySignIn, roles: everybody(403), isPublic: true },
  renameFactor: { request: () => factors.rename, roles: everybody(404) },
  removeFactor: { request: () => factors.remove, roles: everybody(404) },
  renewRecoveryCodes: { request: nothing, roles: everybody(404) },
  proveFactor: { request: () => factors.prove, roles: everybody(403) },
  transactionStory: { request: own, roles: { ...everybody(200), other: 404 } },
  investmentStory: {
    request: () => ({ params: { id: investmentId } }),
    roles: { ...everybody(200), other: 404 },
  },

  closeAccount: { request: sends({ password: 'not it' }), roles: everybody(403) },
  exportOwnData: { request: nothing, roles: everybody(200) },

  totalBalance: { request: nothing, roles: staff(200) },
  adminFigures: { request: nothing, roles: staff(200) },
  readCounts: { request: nothing, roles: staff(200) },
  readToday: { request: nothing, roles: staff(200) },
  readMorningMail: { request: nothing, roles: staff(200) },
  saveMorningMail: { request: sends({ wanted: false }), roles: staff(200) },
  listAllInvestments: { request: nothing, roles: staff(200) },
  checkMaturities: { request: nothing, roles: staff(200) },
  listWallets: { request: nothing, roles: staff(200) },
  createWallet: { request: newWallet, roles: staff(200) },
  createWallets: {
    request: () => ({ payload: { addresses: [newAddress()], networkName: 'Bitcoin' } }),
    roles: staff(200),
  },
  walletStock: { request: nothing, roles: staff(200) },
  deleteWallet: { request: () => ({ params: { id: NOBODY } }), roles: staff(404) },
  archiveWallet: { request: () => ({ params: { id: NOBODY } }), roles: staff(404) },
  restoreWallet: { request: () => ({ params: { id: NOBODY } }), roles: staff(404) },
  listKeys: { request: nothing, roles: staff(200) },
  readKey: { request: sends({ networkName: 'Bitcoin', key: 'x' }), roles: staff(400) },
  addKey: { request: sends({ networkName: 'Bitcoin', key: 'x' }), roles: staff(400) },
  endKey: { request: () => ({ params: { id: NOBODY } }), roles: staff(404) },
  listRates: { request: nothing, roles: staff(200) },
  setRate: { request: sends({ coin: 'BTC', dollars: 'x' }), roles: staff(400) },
  ...loanCells(staff),
  listWaiting: { request: nothing, roles: staff(200) },
  waitingAddresses: { request: () => ({ params: { id: NOBODY } }), roles: staff(200) },
  approveWaiting: { request: () => ({ params: { id: NOBODY } }), roles: staff(409) },
  declineWaiting: { request: () => ({ params: { id: NOBODY } }), roles: staff(409) },
  confirm: { request: () => ({ payload: { transactionId } }), roles: staff(409) },
  approve: { request: () => ({ payload: { transactionId, userId: other.id } }), roles: staff(409) },
  reject: { request: rejection, roles: staff(404) },
  rejectByPayload: { request: () => ({ payload: { transactionId: NOBODY } }), roles: staff(404) },
  rejectByPut: { request: rejection, roles: staff(404) },
  cancel: {
    request: () => ({ params: { id: NOBODY }, payload: {} }),
    roles: everybody(404),
  },
  rejectDeposit: {
    request: () => ({ params: { id: transactionId }, payload: { reason: 'Never arrived' } }),
    roles: staff(409),
  },
  markSent: { request: () => ({ ...own(), payload: sent }), roles: staff(409) },
  markCompleted: { request: own, roles: staff(409) },
  ...takingCells,
  listBatches: { request: nothing, roles: staff(200) },
  batchAddresses: { request: nothing, roles: staff(200) },
  readBatch: { request: () => ({ params: { id: NOBODY } }), roles: staff(404) },
  batchFile: { request: () => ({ params: { id: NOBODY } }), roles: staff(404) },
  approveBatch: {
    request: () => ({ params: { id: NOBODY }, payload: { digest: '0'.repeat(64) } }),
    roles: staff(404),
  },
  giveUpBatch: {
    request: () => ({ params: { id: NOBODY }, payload: { reason: 'A test' } }),
    roles: staff(404),
  },
  compareSigned: { request: () => signedFile, roles: staff(404) },
  sendSigned: { request: () => signedFile, roles: staff(404) },
  listStoppedJobs: { request: nothing, roles: staff(200) },
  listPlans: { request: nothing, roles: everybody(200), isPublic: true },
  listPlanVersions: { request: nothing, roles: superAdmins(200) },
  askRelease: { request: () => ({ params: { id: NOBODY }, payload: {} }), roles: staff(400) },
  askSending: { request: () => ({ params: { id: NOBODY }, payload: {} }), roles: staff(400) },
  approvalLimits: { request: nothing, roles: staff(200) },
  listAudit: { request: nothing, roles: staff(200) },
  listMails: { request: nothing, roles: staff(200) },
  readMail: { request: () => ({ params: { id: NOBODY } }), roles: staff(404) },
  listChains: { request: nothing, roles: staff(200) },
  listPayments: { request: nothing, roles: staff(200) },
  listClaims: { request: nothing, roles: staff(200) },
  listLosses: { request: nothing, roles: staff(200) },
  listUnseen: { request: nothing, roles: staff(200) },
  listOwnAddresses: { request: nothing, roles: staff(200) },
  listCoinMovements: { request: nothing, roles: staff(200) },
  readCapital: { request: nothing, roles: staff(200) },
  readReconciliation: { request: nothing, roles: staff(200) },
  settleUnseen: { request: () => ({ params: { id: NOBODY } }), roles: staff(400) },
  listAlarms: { request: nothing, roles: staff(200) },
  settleAlarm: { request: () => ({ params: { id: NOBODY } }), roles: staff(400) },
  listUndelivered: { request: nothing, roles: staff(200) },
  resendMail: { request: () => ({ params: { id: NOBODY } }), roles: staff(404) },
  listUsers: { request: nothing, roles: superAdmins(200) },
  person: { request: () => ({ params: { id: investor.id } }), roles: staff(200) },
  personAccess: { request: () => ({ params: { id: investor.id } }), roles: superAdmins(200) },
  readTimeline: { request: () => ({ params: { id: investor.id } }), roles: staff(200) },
  listNotes: { request: () => ({ params: { id: investor.id } }), roles: staff(200) },
  addNote: { request: () => ({ params: { id: investor.id }, payload: NOTE }), roles: staff(200) },
  listProposals: { request: nothing, roles: superAdmins(200) },
  askLoanWriteOff: {
    request: () => ({ params: { id: NOBODY }, payload: { reason: 'Lost', amount: 1 } }),
    roles: superAdmins(404),
  },
  askProposal: {
    request: () => ({
      payload: { userId: other.id, kind: 'REVOKE', role: 'ADMIN', reason: 'Left the team' },
    }),
    roles: superAdmins(409),
  },
  approveProposal: { request: () => ({ params: { id: NOBODY } }), roles: superAdmins(409) },
  declineProposal: { request: () => ({ params: { id: NOBODY } }), roles: superAdmins(409) },
  pause: {
    request: () => ({ params: { name: 'deposits' }, payload: { reason: 'A drill' } }),
    roles: superAdmins(200),
  },
  resume: { request: () => ({ params: { name: 'deposits' } }), roles: superAdmins(200) },
}

/** Auditors read as super admins do, and frozen staff as users. Both write where a call says so. */
const expectedOf = (name: Name) => {
  const { roles } = matrix[name]
  const { access, method, ownAccount, whileFrozen }: Endpoint = endpoints[name]
  const isOpen = access === 'public' || method === 'GET'
  return {
    ...roles,
    auditor: isOpen || ownAccount ? roles.superAdmin : 403,
    frozen: isOpen || whileFrozen ? roles.other : 403,
  }
}
const callers = () => ({ investor, other, admin, superAdmin, auditor, frozen })
type Role = keyof ReturnType<typeof callers>

let cells = 0

const expectAnswer = async (name: Name, role: Role): Promise<void> => {
  const endpoint: Endpoint = endpoints[name]
  const caller = callers()[role]
  // Logout ends its session, so it needs a new one.
  const bearer = name === 'logout' ? await token(caller) : caller.token
  const { status } = await send(endpoint, `Bearer ${bearer}`, matrix[name].request())
  const isStaff = !['investor', 'other', 'frozen'].includes(role)
  const mayLag = endpoint.lags && status === 200 && isStaff
  expect([role, lagging.splice(0).length]).toEqual([role, mayLag ? 1 : 0])
  expect([role, status]).toEqual([role, expectedOf(name)[role]])
  cells += 1
}

const rolesOf = (name: Name, isMeant: (status: number) => boolean) =>
  Object.entries(expectedOf(name)).flatMap(([role, status]) =>
    isMeant(status) ? [role as Role] : [],
  )

// All refusals come before all successes, so one digest follows each call's refusals.
describe('a refused call', () => {
  let before: string
  beforeAll(async () => {
    before = await contents()
  })

  test.each(names)('%s answers strangers and refused roles, and writes nothing', async (name) => {
    const { request, roles, isPublic = false } = matrix[name]
    for (const [who, authorization] of Object.entries(strangers)) {
      const { status, text } = await send(endpoints[name], authorization, request())
      expect([who, status]).toEqual([who, isPublic ? roles.investor : 401])
      if (status === 401 && !isPublic && text !== '')
        expect(JSON.parse(text)).toMatchObject({ successful: false, narration: UNAUTHORIZED })
      cells += 1
    }
    for (const role of rolesOf(name, (status) => status >= 400)) await expectAnswer(name, role)
    const after = await contents()
    const changed = after !== before
    before = after
    expect(changed).toBe(false)
  })
})

test.each(names)('%s answers each role that may call it', async (name) => {
  for (const role of rolesOf(name, (status) => status < 400)) {
    if (name === 'deposit') await wallets(product, 1)
    await expectAnswer(name, role)
  }
})

test('the matrix covers every call in at least 480 cells', () => {
  expect(Object.keys(matrix).sort()).toEqual([...names].sort())
  for (const name of names)
    expect([name, endpoints[name].access === 'public']).toEqual([
      name,
      matrix[name].isPublic ?? false,
    ])
  expect(cells).toBe(names.length * (Object.keys(strangers).length + 6))
  expect(cells).toBeGreaterThanOrEqual(480)
})

test('the matrix has every call of the contract', async () => {
  const root = join(import.meta.dirname, '..', '..', '..', 'contract')
  const paths = globSync('*/**/*.ts', { cwd: root }).filter((path) => !path.includes('.test.'))
  const modules: object[] = await Promise.all(paths.map((path) => import(join(root, path))))
  const isCall = (value: unknown) =>
    typeof value === 'object' && value !== null && 'access' in value && 'path' in value
  const declared = modules.flatMap((each) => Object.entries(each)).filter(([, v]) => isCall(v))
  const known = new Set<unknown>(Object.values(endpoints))
  expect(declared.length).toBeGreaterThanOrEqual(known.size)
  expect(declared.flatMap(([name, value]) => (known.has(value) ? [] : [name]))).toEqual([])
})

test('no page of another site can make a browser write', async () => {
  const origin = 'https://elsewhere.example'
  const writes = names
    .map((name) => ({ name, endpoint: endpoints[name] as Endpoint }))
    .filter(({ endpoint }) => endpoint.method !== 'GET')
  const before = await contents()
  const shapes = crossSiteShapes({ staff: superAdmin, investor })
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
      const { 'access-control-allow-origin': allowed, 'set-cookie': cookie } = answer.headers
      expect([name, n, allowed, cookie]).toEqual([name, n, undefined, undefined])
    }
  }
  expect(await contents()).toBe(before)
})
