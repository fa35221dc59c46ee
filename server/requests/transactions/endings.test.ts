import { cents } from '@pool/contract/base/money'
import { rejectDeposit } from '@pool/contract/requests/decisions'
import { CANCELLED, cancel } from '@pool/contract/requests/requests'
import { transactionStory } from '@pool/contract/requests/stories'
import { beforeAll, expect, test } from 'vitest'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { expectWhole } from '../../testing/decisions.ts'
import {
  actAs,
  balanceOf,
  investorWith,
  type Person,
  person,
  testProduct,
} from '../../testing/product.ts'
import { approveWithdrawal } from './approveWithdrawal.ts'
import { cancelRequest } from './cancelRequest.ts'
import { confirmDeposit } from './confirmDeposit.ts'
import { rejectDeposit as rejectIt } from './rejectDeposit.ts'
import { requestDeposit } from './requestDeposit.ts'
import { requestWithdrawal } from './requestWithdrawal.ts'

const product = testProduct()
let admin: Person
let investor: Person
beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
  investor = await investorWith(product, 500)
})

const request = () => ({ by: { id: investor.id, from: 'tests' }, amount: cents(20_00n) })
const pending = async (type: 'deposit' | 'withdrawal') =>
  type === 'deposit'
    ? (await requestDeposit(product.context.ledger, request())).transactionId
    : (await requestWithdrawal(product.context, request())).transactionId
const cancelAs = (id: string, { token }: Person, key?: string) =>
  product.call(cancel, { token, params: { id }, payload: {}, ...(key && { key }) })
const storyOf = async (id: string) =>
  (await product.call(transactionStory, { token: investor.token, params: { id } })).body

test.each(['deposit', 'withdrawal'] as const)('an investor cancels a pending %s', async (type) => {
  const before = await balanceOf(product, investor)
  const id = await pending(type)
  const key = crypto.randomUUID()
  for (const _ of [1, 2])
    expect(await cancelAs(id, investor, key)).toMatchObject({
      status: 200,
      body: { transactionId: id, status: 'REJECTED', reason: CANCELLED },
    })
  expect(await cancelAs(id, investor)).toMatchObject({
    status: 409,
    body: { code: 'alreadyDecided' },
  })
  expect(await balanceOf(product, investor)).toBe(before)
  const { events, transfers } = await storyOf(id)
  expect(events.map(({ what, by }) => [what, by.kind])).toEqual([
    ['requested', 'you'],
    ['cancelled', 'you'],
  ])
  expect(transfers).toHaveLength(type === 'deposit' ? 0 : 2)
  await expectWhole(product)
})

test('only its investor cancels a request', async () => {
  const id = await pending('withdrawal')
  for (const other of [await person(product), admin])
    expect(await cancelAs(id, other)).toMatchObject({
      status: 404,
      body: { code: 'transactionNotFound' },
    })
  expect((await storyOf(id)).transaction.status).toBe('PENDING')
  // The ledger refuses it too.
  const forged = { ...request(), movement: 'withdrawal_released', id, cancels: true } as const
  const entry = {}
  await expect(
    product.context.ledger.post({
      ...forged,
      by: actAs(admin),
      ownerId: investor.id,
      reason: '',
      entry,
    }),
  ).rejects.toMatchObject({ code: 'transactionNotFound' })
})

test('staff reject a deposit with a reason', async () => {
  const before = await balanceOf(product, investor)
  const id = await pending('deposit')
  const ask = (reason: string, { token } = admin) =>
    product.call(rejectDeposit, { token, params: { id }, payload: { reason } })
  expect(await ask('  ')).toMatchObject({ status: 400 })
  expect(await ask('Never arrived')).toMatchObject({ status: 200 })
  expect(await balanceOf(product, investor)).toBe(before)
  const { events, transaction } = await storyOf(id)
  expect(transaction).toMatchObject({ status: 'REJECTED', reason: 'Never arrived' })
  expect(events.map(({ what }) => what)).toEqual(['requested', 'rejected'])
  await expectWhole(product)
})

test.each(['deposit', 'withdrawal'] as const)(
  'eight processes end a %s once',
  { timeout: 60_000 },
  async (type) => {
    const before = Number(await balanceOf(product, investor))
    const ids = await Promise.all(Array.from({ length: 5 }, () => pending(type)))
    const own = actAs(investor)
    const race = Array.from({ length: 8 }, (_, n) => {
      const context = { ...product.context, ledger: openLedger(product.database.pool) }
      return async () => {
        const done: string[] = []
        for (const transactionId of ids) {
          const asked = { transactionId, userId: investor.id, by: actAs(admin), reason: 'No' }
          const decide =
            n % 2 === 0
              ? () => cancelRequest(context, { transactionId, by: own })
              : () =>
                  type === 'withdrawal'
                    ? approveWithdrawal(context, asked)
                    : n % 4 === 1
                      ? confirmDeposit(context, asked)
                      : rejectIt(context, asked)
          await decide().then(
            () => done.push(transactionId),
            (error) => expect(error).toMatchObject({ code: 'alreadyDecided' }),
          )
        }
        return done
      }
    })
    const done = (await Promise.all(race.map((run) => run()))).flat()
    expect(done.sort()).toEqual([...ids].sort())
    const approved = (await Promise.all(ids.map(storyOf))).filter(
      ({ transaction }) => transaction.status === 'APPROVED',
    ).length
    const moved = approved * 20 * (type === 'deposit' ? 1 : -1)
    expect(await balanceOf(product, investor)).toBeCloseTo(before + moved, 2)
    await expectWhole(product)
  },
)
