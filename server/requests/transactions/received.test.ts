import { cents } from '@pool/contract/base/money'
import { confirm } from '@pool/contract/requests/decisions'
import { transactionStory } from '@pool/contract/requests/stories'
import { listTransactions } from '@pool/contract/requests/transactions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { revokeRole } from '../../accounts/users/roles.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { expectWhole } from '../../testing/decisions.ts'
import {
  actAs,
  balanceOf,
  type Person,
  type Product,
  person,
  startProduct,
  wallets,
} from '../../testing/product.ts'
import { confirmDeposit } from './confirmDeposit.ts'
import { requestDeposit } from './requestDeposit.ts'

/** A deposit of which another amount was received than was asked for. */

let product: Product
let admin: Person
let second: Person
beforeAll(async () => {
  product = await startProduct({ SECOND_APPROVAL_ABOVE: '1000' })
  admin = await person(product, ['ADMIN'])
  second = await person(product, ['ADMIN'])
})
afterAll(async () => {
  await expectWhole(product)
  await product.close()
})

const asked = async (amount: bigint, investor?: Person) => {
  const owner = investor ?? (await person(product))
  await wallets(product, 1)
  const { transactionId } = await requestDeposit(product.context.ledger, {
    by: { id: owner.id, from: 'tests' },
    amount: cents(amount),
  })
  return { investor: owner, transactionId }
}
const confirmAs = (
  { token }: Person,
  transactionId: string,
  receivedAmount?: unknown,
  key?: string,
) =>
  product.call(confirm, {
    token,
    payload: { transactionId, ...(receivedAmount !== undefined && { receivedAmount }) },
    ...(key && { key }),
  })
const storyFor = async ({ token }: Person, id: string) =>
  (await product.call(transactionStory, { token, params: { id } })).body
const entriesOf = async (id: string) =>
  (
    await product.database.pool.query(
      'SELECT action, before, after FROM audit_entries WHERE subject_id = $1 ORDER BY id',
      [id],
    )
  ).rows
const columnsOf = async (id: string) =>
  (
    await product.database.pool.query(
      'SELECT status, amount, requested_amount FROM transactions WHERE id = $1',
      [id],
    )
  ).rows[0]

test.each([
  ['less', 45.5],
  ['more', 60.01],
])('%s than was asked is credited and told', async (_, received) => {
  const { investor, transactionId } = await asked(50_00n)
  expect(await confirmAs(admin, transactionId, received)).toMatchObject({
    status: 200,
    body: { status: 'APPROVED' },
  })
  expect(await balanceOf(product, investor)).toBe(received)
  for (const reader of [investor, admin]) {
    const { transaction, events, transfers } = await storyFor(reader, transactionId)
    expect(transaction).toMatchObject({ amount: received, requestedAmount: 50 })
    expect(events.map(({ what, amount }) => [what, amount])).toEqual([
      ['requested', 50],
      ['confirmed', received],
    ])
    expect(transfers).toMatchObject([{ amount: received }])
  }
  expect(await entriesOf(transactionId)).toEqual([
    {
      action: 'deposit.confirmed',
      before: { status: 'PENDING', amount: 50 },
      after: { status: 'APPROVED', amount: received },
    },
  ])
})

test.each([undefined, 50])('the amount asked, named as %j, is on record once', async (received) => {
  const { investor, transactionId } = await asked(50_00n)
  expect((await confirmAs(admin, transactionId, received)).status).toBe(200)
  expect(await balanceOf(product, investor)).toBe(50)
  expect(await columnsOf(transactionId)).toEqual({
    status: 'APPROVED',
    amount: 5000n,
    requested_amount: null,
  })
  const { transaction, events } = await storyFor(investor, transactionId)
  expect(transaction).not.toHaveProperty('requestedAmount')
  expect(events.some((event) => 'amount' in event)).toBe(false)
  expect((await entriesOf(transactionId))[0].before).toEqual({ status: 'PENDING' })
})

test.each([0, -0, -5, 0.001, 12.345, 10_000_000.01, 1e21, '50', null, true, [50]])(
  'the received amount %j is refused',
  async (received) => {
    const { investor, transactionId } = await asked(50_00n)
    expect(await confirmAs(admin, transactionId, received)).toMatchObject({
      status: 400,
      body: { code: 'validation', field: 'receivedAmount' },
    })
    expect(await balanceOf(product, investor)).toBe(0)
    expect(await entriesOf(transactionId)).toEqual([])
  },
)

test('two people name the same amount', async () => {
  const { investor, transactionId } = await asked(2_000_00n)
  expect(await confirmAs(admin, transactionId, 1_900)).toMatchObject({
    status: 200,
    body: { status: 'PENDING' },
  })
  expect(await columnsOf(transactionId)).toEqual({
    status: 'PENDING',
    amount: 200_000n,
    requested_amount: null,
  })
  const { body } = await product.call(listTransactions, {
    token: second.token,
    query: { ids: transactionId },
  })
  expect(body[0]?.approvals).toMatchObject([{ username: admin.email, amount: 1_900 }])
  expect((await storyFor(second, transactionId)).events.map(({ amount }) => amount)).toEqual([
    undefined,
    1_900,
  ])
  const told = await storyFor(investor, transactionId)
  expect(told.events.map(({ amount }) => amount)).toEqual([undefined, undefined])
  expect(told.transaction).not.toHaveProperty('approvals')

  for (const other of [undefined, 2_000, 1_899.99])
    expect(await confirmAs(second, transactionId, other)).toMatchObject({
      status: 409,
      narration:
        'The first approver received $1,900.00. Check the payment. Then name the same amount, or reject the deposit.',
      body: { code: 'amountDiffers', details: { amount: 1_900 } },
    })
  expect(await entriesOf(transactionId)).toHaveLength(1)
  expect(await balanceOf(product, investor)).toBe(0)
  expect(await confirmAs(second, transactionId, 1_900)).toMatchObject({
    body: { status: 'APPROVED' },
  })
  expect(await balanceOf(product, investor)).toBe(1_900)
  expect((await entriesOf(transactionId)).map(({ before, after }) => [before, after])).toEqual([
    [
      { status: 'PENDING', amount: 2_000 },
      { status: 'PENDING', amount: 1_900 },
    ],
    [
      { status: 'PENDING', amount: 2_000 },
      { status: 'APPROVED', amount: 1_900 },
    ],
  ])
})

test('the amount of a demoted approver binds nobody', async () => {
  const former = await person(product, ['ADMIN'])
  const { investor, transactionId } = await asked(2_000_00n)
  expect((await confirmAs(former, transactionId, 1_500)).status).toBe(200)
  await revokeRole(product.context, {
    email: former.email,
    role: 'ADMIN',
    by: { name: 'operator', from: 'operator' },
  })
  for (const [approver, status] of [
    [admin, 'PENDING'],
    [second, 'APPROVED'],
  ] as const)
    expect(await confirmAs(approver, transactionId, 1_600)).toMatchObject({ body: { status } })
  expect(await balanceOf(product, investor)).toBe(1_600)
})

test('the limits count what was received', async () => {
  const alone = await person(product, ['ADMIN'])
  const [large, small] = [await asked(5_000_00n), await asked(10_00n)]
  expect(await confirmAs(alone, large.transactionId, 400)).toMatchObject({
    body: { status: 'APPROVED' },
  })
  expect(await confirmAs(alone, small.transactionId, 600.01)).toMatchObject({
    body: { status: 'PENDING' },
  })
  expect(await balanceOf(product, small.investor)).toBe(0)
})

test('a repeat answers the same, another amount is refused', async () => {
  const { investor, transactionId } = await asked(50_00n)
  const key = crypto.randomUUID()
  const first = await confirmAs(second, transactionId, 30, key)
  expect(first).toMatchObject({ status: 200, body: { status: 'APPROVED' } })
  expect(await confirmAs(second, transactionId, 30, key)).toEqual(first)
  for (const other of [undefined, 31])
    expect(await confirmAs(second, transactionId, other, key)).toMatchObject({
      status: 422,
      body: { code: 'keyReused' },
    })
  expect(await balanceOf(product, investor)).toBe(30)
})

test.each([
  "amount = 1 WHERE status = 'PENDING'",
  "amount = 1, requested_amount = amount WHERE status = 'PENDING'",
  "amount = 1, status = 'APPROVED' WHERE status = 'PENDING'",
  "amount = 1, requested_amount = 2, status = 'APPROVED' WHERE status = 'PENDING'",
  "requested_amount = amount, status = 'APPROVED' WHERE status = 'PENDING'",
  "requested_amount = 1, status = 'APPROVED' WHERE status = 'PENDING'",
  "amount = 1, requested_amount = amount, status = 'REJECTED' WHERE status = 'PENDING'",
  "amount = 1, requested_amount = amount WHERE status = 'APPROVED'",
  "requested_amount = NULL WHERE status = 'APPROVED'",
])('the database refuses: SET %s', async (change) => {
  const deposits = await Promise.all([asked(50_00n), asked(50_00n)])
  const [, decided] = deposits.map(({ transactionId }) => transactionId)
  await confirmAs(await person(product, ['ADMIN']), decided ?? '', 49)
  await expect(
    product.database.pool.query(
      `UPDATE transactions SET decided_by = '${second.id}', updated_at = now(), ${change} AND id = ANY ($1)`,
      [deposits.map(({ transactionId }) => transactionId)],
    ),
  ).rejects.toMatchObject({ code: expect.stringMatching(/^23(001|514)$/) })
})

test('the database counts approvals of one amount only', async () => {
  const { transactionId } = await asked(2_000_00n)
  expect((await confirmAs(admin, transactionId, 1_900)).status).toBe(200)
  const client = await product.database.pool.connect()
  try {
    for (const received of [1_900_00, 1_800_00]) {
      await client.query('BEGIN')
      await client.query(
        'INSERT INTO approvals (transaction_id, approved_by, amount) VALUES ($1, $2, 180000)',
        [transactionId, second.id],
      )
      await expect(
        client.query(
          `UPDATE transactions SET status = 'APPROVED', ending = 'decided', amount = $2, requested_amount = amount,
             decided_by = $3, updated_at = now() WHERE id = $1`,
          [transactionId, received, second.id],
        ),
      ).rejects.toThrow(/needs 2 approvals/)
      await client.query('ROLLBACK')
    }
  } finally {
    client.release()
  }
})

test('a withdrawal keeps its amount', async () => {
  const { investor, transactionId } = await asked(50_00n)
  await confirmAs(await person(product, ['ADMIN']), transactionId)
  await product.database.pool.query(
    `INSERT INTO transactions (id, user_id, type, amount, status, created_at, updated_at)
     VALUES (gen_random_uuid(), $1, 'withdrawal', 10, 'PENDING', now(), now())`,
    [investor.id],
  )
  const change = (columns: string) =>
    product.database.pool.query(
      `UPDATE transactions SET ${columns} WHERE user_id = $1 AND type = 'withdrawal'`,
      [investor.id],
    )
  for (const columns of [
    'amount = 1',
    'amount = 1, requested_amount = amount',
    `amount = 1, requested_amount = amount, status = 'APPROVED', decided_by = '${admin.id}'`,
  ])
    await expect(change(columns)).rejects.toMatchObject({ code: '23001' })
  await product.database.superuser.query(
    `ALTER TABLE transactions DISABLE TRIGGER USER;
     DELETE FROM transactions WHERE user_id = '${investor.id}' AND type = 'withdrawal';
     ALTER TABLE transactions ENABLE TRIGGER USER;
     SELECT recount_tallies()`,
  )
})

test('two people at once credit one of two amounts', async () => {
  const doors = [1, 2].map(() => ({
    ...product.context,
    ledger: openLedger(product.database.pool),
  }))
  let pending = 0
  for (let round = 0; round < 12; round += 1) {
    // Below the limit of a person each is enough; above it both must agree.
    const isLarge = round % 3 === 2
    const approvers = await Promise.all([1, 2].map(() => person(product, ['ADMIN'])))
    const { investor, transactionId } = await asked(isLarge ? 3_000_00n : 50_00n)
    const amounts = isLarge ? [2_000_00n, 2_500_00n] : [40_00n, 45_00n]
    const results = await Promise.allSettled(
      amounts.map((amount, n) =>
        confirmDeposit(doors[n] as (typeof doors)[number], {
          transactionId,
          by: actAs(approvers[n] as Person),
          receivedAmount: cents(amount),
        }),
      ),
    )
    const done = results.flatMap((result, n) =>
      result.status === 'fulfilled' ? [{ ...result.value, amount: amounts[n] }] : [],
    )
    expect(done).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: isLarge ? 'amountDiffers' : 'alreadyDecided' })
    const { status, amount } = await columnsOf(transactionId)
    expect(status).toBe(isLarge ? 'PENDING' : 'APPROVED')
    pending += isLarge ? 1 : 0
    const credited = isLarge ? 0n : done[0]?.amount
    if (!isLarge) expect(amount).toBe(credited)
    expect(await product.context.ledger.available(investor.id)).toBe(credited)
  }
  expect(pending).toBe(4)
  await expectWhole(product)
})
