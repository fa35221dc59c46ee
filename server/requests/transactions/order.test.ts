import { cents } from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import { markCompleted, markSent } from '@pool/contract/coins/sending'
import { type Taking, withdrawalOrder } from '@pool/contract/coins/withdrawalOrder'
import { approve } from '@pool/contract/requests/decisions'
import { transactionStory } from '@pool/contract/requests/stories'
import { beforeEach, expect, test } from 'vitest'
import { readPayouts } from '../../lending/pool/flows.ts'
import { newAddress } from '../../testing/addresses.ts'
import {
  actAs,
  codeOf,
  investorWith,
  type Person,
  person,
  testProduct,
} from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { approveWithdrawal } from './approveWithdrawal.ts'
import { countPassedOver } from './order.ts'
import { requestWithdrawal } from './requestWithdrawal.ts'

const product = testProduct()
let admin: Person
/** Nothing waits at the beginning of a test. */
beforeEach(async () => {
  admin = await person(product, ['ADMIN'])
  await tamper(
    product.database,
    "UPDATE transactions SET status = 'REJECTED', ending = 'decided' WHERE type = 'withdrawal' AND status IN ('PENDING', 'APPROVED')",
  )
})

type WaitingRequest = { readonly id: string; readonly owner: Person }

/** A request, without a network where none is named. */
const asked = async (
  networkName: NetworkName | '' = 'Bitcoin',
  by?: Person,
): Promise<WaitingRequest> => {
  const owner = by ?? (await investorWith(product, 50))
  const { transactionId: id } = await requestWithdrawal(product.context, {
    by: { id: owner.id, from: 'tests' },
    amount: cents(20_00n),
    ...(networkName === ''
      ? { destinationAddress: 'Cash, as agreed' }
      : { destinationAddress: newAddress(networkName), networkName }),
  })
  return { id, owner }
}
const approved = async (networkName?: NetworkName | ''): Promise<WaitingRequest> => {
  const waiting = await asked(networkName)
  const by = actAs(await person(product, ['ADMIN']))
  await approveWithdrawal(product.context, {
    transactionId: waiting.id,
    userId: waiting.owner.id,
    by,
  })
  return waiting
}
const take = ({ id, owner }: WaitingRequest, more: object = {}, by = admin) =>
  product.call(approve, {
    token: by.token,
    payload: { transactionId: id, userId: owner.id, ...more },
  })
const send = ({ id }: WaitingRequest, more: object = {}, by = admin) =>
  product.call(markSent, {
    token: by.token,
    params: { id },
    payload: {
      networkName: 'Bitcoin',
      evidence: `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', ''),
      ...more,
    },
  })
const passedOver = async (taking: Taking, taken: readonly WaitingRequest[], by = admin) =>
  (
    await product.call(withdrawalOrder, {
      token: by.token,
      payload: { taking, ids: taken.map(({ id }) => id) },
    })
  ).body.passedOver
const aheadOf = async ({ id, owner }: WaitingRequest) =>
  (await product.call(transactionStory, { token: owner.token, params: { id } })).body.ahead
const onRecord = async ({ id }: WaitingRequest, action = 'withdrawal.approved') => {
  const { rows } = await product.database.superuser.query(
    "SELECT after->'passedOver' AS count, after->'withoutReason' AS bare, reason FROM audit_entries WHERE subject_id = $1 AND action = $2",
    [id, action],
  )
  return rows[0]
}
const inOrder = { count: null, bare: null, reason: null }

test('an approval that keeps the order records nothing of it', async () => {
  const [oldest, newer] = [await asked(), await asked()]
  expect(await passedOver('approve', [oldest])).toBe(0)
  expect((await take(oldest)).status).toBe(200)
  expect(await passedOver('approve', [newer])).toBe(0)
  expect((await take(newer, { outOfOrderReason: 'None was passed over' })).status).toBe(200)
  expect(await onRecord(oldest)).toEqual(inOrder)
  expect(await onRecord(newer)).toEqual(inOrder)
})

test('an approval out of order records its reason or lack', async () => {
  const [, , third, fourth] = [await asked(), await asked(), await asked(), await asked()]
  expect(await passedOver('approve', [fourth as WaitingRequest])).toBe(3)
  expect(
    (await take(fourth as WaitingRequest, { outOfOrderReason: 'A hospital bill' })).status,
  ).toBe(200)
  expect(await onRecord(fourth as WaitingRequest)).toEqual({
    count: 3,
    bare: null,
    reason: 'A hospital bill',
  })
  // The call of the specification names no reason.
  expect((await take(third as WaitingRequest)).status).toBe(200)
  expect(await onRecord(third as WaitingRequest)).toEqual({ count: 2, bare: true, reason: null })
  expect((await take(third as WaitingRequest, { outOfOrderReason: '  ' })).status).toBe(409)
})

test('several that are taken together pass over none of themselves', async () => {
  const [one, two, three] = [await asked(), await asked(), await asked()]
  expect(await passedOver('approve', [one, two, three])).toBe(0)
  expect(await passedOver('approve', [two, three])).toBe(1)
  expect(await passedOver('approve', [three, one])).toBe(1)
})

test('requests of other networks pass over none', async () => {
  await asked('Ethereum')
  const bitcoin = await asked('Bitcoin')
  expect([await passedOver('approve', [bitcoin]), await aheadOf(bitcoin)]).toEqual([0, 0])
  const free = await asked('')
  expect([await passedOver('approve', [free]), await aheadOf(free)]).toEqual([2, 2])
  const last = await asked('Solana')
  expect([await passedOver('approve', [last]), await aheadOf(last)]).toEqual([1, 1])
})

test.each([
  ['frozen', 'UPDATE users SET frozen_at = now(), frozen_since = now() WHERE id = $1'],
  ['suspended', 'UPDATE users SET suspended_at = now() WHERE id = $1'],
])('a %s owner waits without holding others up', async (_, text) => {
  const [older, newer] = [await asked(), await asked()]
  expect([await passedOver('approve', [newer]), await aheadOf(newer)]).toEqual([1, 1])
  await tamper(product.database, text.replace('$1', `'${older.owner.id}'`))
  expect([await passedOver('approve', [newer]), await aheadOf(newer)]).toEqual([0, 0])
})

test('own requests and own first approvals are not passed over', async () => {
  const staffed = await investorWith(product, 50)
  await product.database.superuser.query(
    "INSERT INTO user_roles (user_id, role) VALUES ($1, 'ADMIN')",
    [staffed.id],
  )
  const own = await asked('Bitcoin', staffed)
  const newer = await asked()
  expect(await passedOver('approve', [newer], staffed)).toBe(0)
  expect(await passedOver('approve', [newer])).toBe(1)
  await product.database.superuser.query(
    'INSERT INTO approvals (transaction_id, approved_by, payee_address, amount) SELECT id, $2, destination_address, amount FROM transactions WHERE id = $1',
    [own.id, admin.id],
  )
  expect(await passedOver('approve', [newer])).toBe(0)
})

test('a mark out of order records its reason or lack', async () => {
  const [first, second, third] = [await approved(), await approved(), await approved()]
  expect(await passedOver('send', [third])).toBe(2)
  expect(
    codeOf(await send(third, { outOfOrderReason: 'Its network is cheap now' })),
  ).toBeUndefined()
  expect(await onRecord(third, 'withdrawal.sent')).toEqual({
    count: 2,
    bare: null,
    reason: 'Its network is cheap now',
  })
  expect(codeOf(await send(second))).toBeUndefined()
  expect(await onRecord(second, 'withdrawal.sent')).toEqual({ count: 1, bare: true, reason: null })
  expect(await passedOver('send', [first])).toBe(0)
  expect(codeOf(await send(first))).toBeUndefined()
  expect(await onRecord(first, 'withdrawal.sent')).toEqual(inOrder)
})

test('a mark passes over what its network can pay', async () => {
  await approved('Ethereum')
  const free = await approved('')
  await asked()
  const last = await approved()
  const onEthereum = await approved('Ethereum')
  expect(await passedOver('send', [last])).toBe(1)
  expect(await passedOver('send', [onEthereum])).toBe(2)
  expect(codeOf(await send(free))).toBeUndefined()
  expect(await passedOver('send', [last])).toBe(0)
})

test('a place goes down until the request is sent', async () => {
  const [older, own] = [await asked(), await asked()]
  expect([await aheadOf(older), await aheadOf(own)]).toEqual([0, 1])
  await take(older)
  // It waits for its coins, so it is still ahead.
  expect(await aheadOf(own)).toBe(1)
  expect(codeOf(await send(older))).toBeUndefined()
  expect([await aheadOf(older), await aheadOf(own)]).toEqual([undefined, 0])
  await take(own)
  expect(await aheadOf(own)).toBe(0)
  await send(own)
  await product.call(markCompleted, { token: admin.token, params: { id: own.id } })
  expect(await aheadOf(own)).toBeUndefined()
})

test('the public figures count what left the order', async () => {
  const before = await readPayouts(product.context.db)
  const [, second, third] = [await asked(), await asked(), await asked()]
  await take(third, { outOfOrderReason: 'A hospital bill' })
  await take(second)
  const after = await readPayouts(product.context.db)
  expect(after.outOfOrder - before.outOfOrder).toBe(2)
  expect(after.withoutReason - before.withoutReason).toBe(1)
})

test('live mode passes over no address that is too new', async () => {
  const [older, newer] = [await asked(), await asked()]
  const count = () =>
    countPassedOver(
      product.context.db,
      { poolMode: 'live' },
      { taking: 'approve', ids: [newer.id], by: admin.id },
    )
  expect(await count()).toBe(0)
  await tamper(
    product.database,
    `UPDATE transactions SET created_at = created_at - interval '25 hours' WHERE id = '${older.id}'`,
  )
  expect(await count()).toBe(1)
})
