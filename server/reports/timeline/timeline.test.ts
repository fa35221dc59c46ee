import { invest } from '@pool/contract/money/investments'
import { readTimeline } from '@pool/contract/reports/timeline'
import { reject } from '@pool/contract/requests/decisions'
import { withdraw } from '@pool/contract/requests/requests'
import { beforeAll, expect, test } from 'vitest'
import { suspendUser } from '../../accounts/users/roles.ts'
import { codeOf, investorWith, type Person, person, testProduct } from '../../testing/product.ts'

const product = testProduct()
let admin: Person
let superAdmin: Person
let subject: Person
beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
  superAdmin = await person(product, ['SUPER_ADMIN'])
  subject = await investorWith(product, 100)
  const own = { token: subject.token }
  const { body } = await product.call(withdraw, {
    ...own,
    payload: { userId: subject.id, amount: 20 },
  })
  await product.call(invest, {
    ...own,
    payload: { userId: subject.id, amount: 10, durationDays: 12 },
  })
  await product.call(reject, {
    token: admin.token,
    params: { id: body.transactionId },
    payload: { reason: 'Wrong network' },
  })
  await suspendUser(product.context, {
    email: subject.email,
    by: { name: 'operator', from: 'operator' },
  })
})

const timelineOf = (reader: Person, query = {}) =>
  product.call(readTimeline, { token: reader.token, params: { id: subject.id }, query })
const eventsOf = async (reader: Person, query = {}) =>
  (await timelineOf(reader, query)).body.map(({ action }) => action)

test('a timeline has requests, decisions and accounts, newest first', async () => {
  const { body } = await timelineOf(superAdmin)
  const events = body.map(({ action }) => action)
  expect(events[0]).toBe('user.suspended')
  expect(events.filter((event) => /^(withdrawal|investment|deposit)\./.test(event))).toEqual([
    'withdrawal.rejected',
    'investment.opened',
    'withdrawal.asked',
    'deposit.confirmed',
    'deposit.asked',
  ])
  expect(events.at(-1)).toBe('user.registered')
  expect(body.find(({ action }) => action === 'investment.opened')).toMatchObject({
    actorId: subject.id,
    actor: subject.email,
    subjectType: 'transaction',
    after: { amount: 10, interest: 0.7 },
  })
  expect(body.find(({ action }) => action === 'withdrawal.rejected')).toMatchObject({
    actorId: admin.id,
    reason: 'Wrong network',
  })
})

test('pages of a timeline follow each other without a gap', async () => {
  const whole = await eventsOf(superAdmin)
  const paged: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body, page } = await timelineOf(superAdmin, {
      limit: '2',
      ...(cursor === undefined ? {} : { cursor }),
    })
    paged.push(...body.map(({ action }) => action))
    expect(page?.total).toBe(whole.length)
    cursor = page?.next ?? null
  }
  expect(paged).toEqual(whole)
})

test('admins see no entries about accounts', async () => {
  const events = await eventsOf(admin)
  expect(events).toContain('withdrawal.asked')
  expect(events).toContain('withdrawal.rejected')
  expect(events.filter((event) => /^(user|session)\./.test(event))).toEqual([])
  // Suspended, so its session ended.
  expect(codeOf(await timelineOf(subject))).toBe('unauthenticated')
  const investor = await investorWith(product, 10)
  expect(codeOf(await timelineOf(investor))).toBe('forbidden')
})

test('what staff and the operator did stands alone', async () => {
  const events = await eventsOf(superAdmin, { by: 'staff' })
  expect(events.slice(0, 2)).toEqual(['user.suspended', 'withdrawal.rejected'])
  expect(events).not.toContain('withdrawal.asked')
  expect(await eventsOf(superAdmin, { search: admin.email, by: 'staff' })).toEqual([
    'withdrawal.rejected',
  ])
})
