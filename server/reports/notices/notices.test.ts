import { changePassword, login } from '@pool/contract/accounts/users'
import { dateFromTimestamp } from '@pool/contract/base/timestamp'
import { markCompleted, markSent } from '@pool/contract/coins/sending'
import { invest } from '@pool/contract/money/investments'
import { pause, resume } from '@pool/contract/money/pauses'
import { savePayoutAddress } from '@pool/contract/money/payoutAddresses'
import { type AuditAction, auditActionNames, auditActions } from '@pool/contract/reports/audit'
import {
  listNotices,
  MOST_UNREAD,
  mailedByDefault,
  mailedKinds,
  type Notice,
  noticeActions,
  noticeFacts,
  noticePreferences,
  poolActions,
  readNotices,
  saveNoticePreferences,
} from '@pool/contract/reports/notices'
import { approve, confirm, reject, rejectDeposit } from '@pool/contract/requests/decisions'
import { cancel, deposit, withdraw } from '@pool/contract/requests/requests'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import type { Entry } from '../../records/audit/entry.ts'
import { record } from '../../records/audit/record.ts'
import { expireDeposits } from '../../requests/transactions/expireDeposits.ts'
import { newAddress } from '../../testing/addresses.ts'
import {
  PASSWORD,
  type Person,
  type Product,
  person,
  testProduct,
  wallets,
} from '../../testing/product.ts'
import type { Answer } from '../../testing/request.ts'

/** One approver decides about all amounts here. */
const ALONE = { SECOND_APPROVAL_ABOVE: '10000000', POOL_SECOND_APPROVAL_ABOVE: '1000000000' }

const product = testProduct({ DAY_SECONDS: '1', ...ALONE })
let admin: Person
let chief: Person
let investor: Person
let other: Person
beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
  chief = await person(product, ['SUPER_ADMIN'])
})
beforeEach(async () => {
  investor = await person(product)
  other = await person(product)
})

const matured = async () => (await payMaturities(product.context)).matured

type NoticesPage = { notices: Notice[]; unread: number; next: string | null }
const read = async ({ token }: Person, query: Record<string, string> = {}): Promise<NoticesPage> =>
  (await product.call(listNotices, { token, query })).body
/** The kinds of a person's notices, oldest first. */
const kindsOf = async (of: Person): Promise<string[]> =>
  (await read(of, { limit: '100' })).notices.map(({ kind }) => kind).reverse()
const mark = async ({ token }: Person, until: Date): Promise<number> => {
  const payload = { until: until.toISOString() }
  return (await product.call(readNotices, { token, payload })).body.unread
}
const asStaff = (endpoint: Parameters<Product['call']>[0], id: string, payload: object) =>
  product.call(endpoint, { token: admin.token, params: { id }, payload })
const ask = async (endpoint: typeof deposit | typeof withdraw | typeof invest, amount: number) => {
  const payload = { userId: investor.id, amount, ...(endpoint === invest && { durationDays: 1 }) }
  const { body }: Answer = await product.call(endpoint, { token: investor.token, payload })
  return body as { transactionId: string; investmentId: string }
}
/** Writes entries about a user in one transaction, so at one moment. */
const enter = (of: Person, ...actions: readonly AuditAction[]) =>
  product.context.db.transaction().execute((transaction) =>
    record(
      transaction,
      product.context.keys,
      ...actions.map(
        (action) =>
          ({
            by: { name: 'tests', from: 'tests' },
            action,
            subject: { type: auditActions[action].subject ?? 'user', id: newId() },
            ownerId: of.id,
          }) as Entry,
      ),
    ),
  )

test('each event of money is one notice of its owner', async () => {
  await wallets(product, 1)
  const confirmed = await ask(deposit, 1_000)
  await product.call(confirm, {
    token: admin.token,
    payload: { transactionId: confirmed.transactionId, receivedAmount: 900 },
  })
  const refused = await ask(deposit, 20)
  await asStaff(rejectDeposit, refused.transactionId, { reason: 'Never arrived' })
  const cancelled = await ask(deposit, 30)
  await product.call(cancel, {
    token: investor.token,
    params: { id: cancelled.transactionId },
    payload: {},
  })
  await ask(deposit, 40)
  await expireDeposits(product.context, 0)
  const paid = await ask(withdraw, 50)
  await product.call(approve, {
    token: admin.token,
    payload: { transactionId: paid.transactionId, userId: investor.id },
  })
  await asStaff(markSent, paid.transactionId, {
    networkName: 'Bitcoin',
    evidence: 'ab'.repeat(32),
  })
  await product.call(markCompleted, { token: admin.token, params: { id: paid.transactionId } })
  const kept = await ask(withdraw, 60)
  await asStaff(reject, kept.transactionId, { reason: 'Wrong network' })
  const recalled = await ask(withdraw, 70)
  await product.call(cancel, {
    token: investor.token,
    params: { id: recalled.transactionId },
    payload: {},
  })
  await ask(invest, 100)
  await expect.poll(matured).toBe(1)

  const { notices, unread, next } = await read(investor, { limit: '100' })
  expect(next).toBeNull()
  expect(
    notices
      .map(({ kind, amount, reason, unread: isUnread }) => [kind, amount, reason, isUnread])
      .reverse(),
  ).toEqual([
    ['deposit.asked', 1_000, undefined, false],
    ['deposit.confirmed', 900, undefined, true],
    ['deposit.asked', 20, undefined, false],
    ['deposit.rejected', 20, 'Never arrived', true],
    ['deposit.asked', 30, undefined, false],
    ['deposit.cancelled', 30, undefined, false],
    ['deposit.asked', 40, undefined, false],
    ['deposit.expired', 40, undefined, true],
    ['withdrawal.asked', 50, undefined, true],
    ['withdrawal.approved', 50, undefined, true],
    ['withdrawal.sent', 50, undefined, true],
    ['withdrawal.completed', 50, undefined, true],
    ['withdrawal.asked', 60, undefined, true],
    ['withdrawal.rejected', 60, 'Wrong network', true],
    ['withdrawal.asked', 70, undefined, true],
    ['withdrawal.cancelled', 70, undefined, false],
    ['investment.opened', 100, undefined, false],
    ['investment.matured', 104, undefined, true],
  ])
  expect(unread).toBe(notices.filter((each) => each.unread).length)
  expect(notices[0]).toMatchObject({ interest: 4 })
  expect(await read(other)).toEqual({ notices: [], unread: 0, next: null })
  expect((await read(admin)).notices).toEqual([])
})

const ofPeople = auditActionNames.filter(
  (action) => !(poolActions as readonly string[]).includes(action),
)
test.each(ofPeople)('the entry %s is a notice as listed', async (action) => {
  await enter(investor, action)
  const isNotice = (noticeActions as readonly string[]).includes(action)
  const { notices, unread } = await read(investor)
  expect(notices.map(({ kind }) => kind)).toEqual(isNotice ? [action] : [])
  const isUnread = isNotice && !noticeFacts[action as Notice['kind']].isOwn
  expect(unread).toBe(isUnread ? 1 : 0)
  expect((await read(other)).notices).toEqual([])
})

test('acts on an account are notices of its owner', async () => {
  const credentials = { username: investor.email, password: PASSWORD }
  const signIn = (userAgent: string) =>
    product.app.inject({
      method: 'POST',
      url: login.path,
      payload: credentials,
      headers: { 'user-agent': userAgent },
    })
  await signIn('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
  expect(await kindsOf(investor)).toEqual([])
  await signIn('Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0')
  await product.call(savePayoutAddress, {
    token: investor.token,
    payload: { address: newAddress(), networkName: 'Bitcoin' },
  })
  const { notices } = await read(investor)
  expect(notices).toMatchObject([
    { kind: 'payout.saved', unread: true },
    { kind: 'session.newDevice', device: { browser: 'Firefox', system: 'Windows' } },
  ])
  const changed = await product.call(changePassword, {
    token: investor.token,
    payload: { password: PASSWORD, newPassword: 'another quiet password' },
  })
  const { token } = changed.body
  expect((await kindsOf({ ...investor, token })).at(-1)).toBe('password.changed')
  expect(await kindsOf(other)).toEqual([])
})

test('a note of staff sends its subject nothing', async () => {
  const listener = await product.database.pool.connect()
  const told: string[] = []
  listener.on('notification', ({ payload = '' }) => void told.push(payload))
  try {
    await listener.query('LISTEN changes')
    await enter(investor, 'note.added')
    await enter(other, 'password.changed')
    // Notifications come in the order of the commits.
    await expect.poll(() => told[0]).toBe(JSON.stringify([[other.id, 'notice']]))
  } finally {
    await listener.query('UNLISTEN changes')
    listener.release()
  }
  expect(await kindsOf(investor)).toEqual([])
})

test('investors alone read of pauses since they registered', async () => {
  const params = { name: 'deposits' }
  const reason = 'The bank is closed.'
  await product.call(pause, { token: chief.token, params, payload: { reason } })
  await product.call(resume, { token: chief.token, params })
  expect((await read(investor)).notices).toMatchObject([
    { kind: 'switch.resumed', pause: 'deposits', unread: true },
    { kind: 'switch.paused', pause: 'deposits', reason },
  ])
  expect((await read(investor)).unread).toBe(2)
  for (const staff of [admin, chief]) expect(await kindsOf(staff)).not.toContain('switch.paused')
  expect(await kindsOf(await person(product))).toEqual([])
})

test('pages show each notice once, also of one moment', async () => {
  await enter(investor, ...noticeActions)
  await enter(investor, ...noticeActions)
  const found: string[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page: NoticesPage = await read(investor, { limit: '3', ...(next && { cursor: next }) })
    found.push(...page.notices.map(({ id }) => id))
    next = page.next
    // Comes meanwhile, and shifts no page.
    if (found.length < 10) await enter(investor, 'payout.saved')
  }
  expect(found.length).toBe(2 * noticeActions.length)
  expect(new Set(found).size).toBe(found.length)
  for (const query of [{ limit: '101' }, { limit: '-1' }, { cursor: 'x' }, { cursor: '1.2' }])
    expect((await product.call(listNotices, { token: investor.token, query })).status).toBe(400)
})

test('pages of a state have its notices alone', async () => {
  await enter(investor, ...noticeActions)
  const { notices: before } = await read(investor, { limit: '100' })
  const until = dateFromTimestamp(before[3]?.at as never).toISOString()
  await product.call(readNotices, { token: investor.token, payload: { until } })
  await enter(investor, 'payout.saved', 'deposit.cancelled')
  const { notices: all } = await read(investor, { limit: '100' })
  const unread = all.filter((each) => each.unread).map(({ id }) => id)
  expect(unread.length).toBeGreaterThan(0)
  for (const state of ['unread', 'read'] as const) {
    const found: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const page: NoticesPage = await read(investor, {
        limit: '2',
        state,
        ...(next && { cursor: next }),
      })
      found.push(...page.notices.map(({ id }) => id))
      next = page.next
    }
    const isAsked = state === 'unread'
    expect(found).toEqual(all.filter((each) => each.unread === isAsked).map(({ id }) => id))
  }
})

test('unread notices are counted up to a hundred', async () => {
  await enter(investor, ...Array.from({ length: 40 }, () => 'payout.saved' as const))
  expect(await read(investor, { limit: '0' })).toEqual({ notices: [], unread: 40, next: null })
  await enter(investor, ...Array.from({ length: 80 }, () => 'payout.saved' as const))
  expect((await read(investor)).unread).toBe(MOST_UNREAD)
})

test('the read mark never goes back nor ahead', async () => {
  await enter(investor, 'payout.saved')
  const { notices } = await read(investor)
  const first = dateFromTimestamp(notices[0]?.at ?? [])
  await new Promise((resolve) => setTimeout(resolve, 5))
  await enter(investor, 'password.changed')
  const later = dateFromTimestamp((await read(investor)).notices[0]?.at ?? [])
  expect(await mark(investor, first)).toBe(1)
  // Two tabs at once, in both orders.
  await Promise.all([mark(investor, later), mark(investor, first), mark(investor, new Date(0))])
  expect(await mark(investor, first)).toBe(0)
  expect((await read(investor)).notices.map(({ unread }) => unread)).toEqual([false, false])
  expect(await mark(investor, new Date('9000-01-01'))).toBe(0)
  await new Promise((resolve) => setTimeout(resolve, 5))
  await enter(investor, 'factor.reset')
  expect((await read(investor)).unread).toBe(1)
  expect((await read(other)).unread).toBe(0)
  for (const until of ['', 'yesterday', '2026-02-31T00:00:00Z', null])
    expect(
      (await product.call(readNotices, { token: investor.token, payload: { until } })).status,
    ).toBe(400)
})

test('mails are chosen per person and kind', async () => {
  const preferences = async ({ token }: Person) =>
    (await product.call(noticePreferences, { token })).body
  const save = (payload: object) =>
    product.call(saveNoticePreferences, { token: investor.token, payload })
  const chosen = (kinds: readonly string[]) => ({
    mails: Object.fromEntries(mailedKinds.map((kind) => [kind, kinds.includes(kind)])),
  })
  expect(await preferences(investor)).toEqual(chosen(mailedByDefault))
  expect((await save(chosen(['deposit.asked']))).body).toEqual(chosen(['deposit.asked']))
  expect((await save(chosen([]))).body).toEqual(chosen([]))
  // Choosing mails leaves the read mark alone.
  expect(await mark(investor, new Date())).toBe(0)
  expect(await preferences(investor)).toEqual(chosen([]))
  expect(await preferences(other)).toEqual(chosen(mailedByDefault))
  for (const payload of [{}, { mails: {} }, { mails: { 'password.changed': false } }])
    expect((await save(payload)).status).toBe(400)
})
