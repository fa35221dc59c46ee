import { savePayoutAddress } from '@pool/contract/money/payoutAddresses'
import { approve } from '@pool/contract/requests/decisions'
import { withdraw } from '@pool/contract/requests/requests'
import { listTransactions, type Transaction } from '@pool/contract/requests/transactions'
import { beforeAll, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { LIVE } from '../../testing/live.ts'
import {
  balanceOf,
  investorWith,
  type Person,
  person,
  startProduct,
  testProduct,
} from '../../testing/product.ts'

const product = testProduct({ SECOND_APPROVAL_ABOVE: '100' })
let admins: Person[]
beforeAll(async () => {
  admins = await Promise.all(Array.from({ length: 2 }, () => person(product, ['ADMIN'])))
})

const [first, second] = [0, 1].map((place) => () => admins[place] as Person) as [
  () => Person,
  () => Person,
]

const save = async ({ token }: Person): Promise<string> => {
  const address = newAddress()
  await product.call(savePayoutAddress, { token, payload: { address, networkName: 'Bitcoin' } })
  return address
}
const ask = async ({ id, token }: Person, amount = 20): Promise<string> => {
  const { body } = await product.call(withdraw, { token, payload: { userId: id, amount } })
  return body.transactionId
}
const approveFor = (admin: Person, owner: Person, transactionId: string, payeeAddress?: string) =>
  product.call(approve, {
    token: admin.token,
    payload: { transactionId, userId: owner.id, payeeAddress },
  })
const seen = async (search: string): Promise<Transaction | undefined> =>
  (await product.call(listTransactions, { token: first().token, query: { search } })).body[0]

test('an approval pays only the shown address', async () => {
  const investor = await investorWith(product, 50)
  const shown = await save(investor)
  const id = await ask(investor)
  const changed = await save(investor)
  expect(await approveFor(first(), investor, id, shown)).toMatchObject({
    status: 409,
    body: { code: 'payeeChanged' },
  })
  expect(await seen(id)).toMatchObject({ status: 'PENDING', payee: { address: changed } })
  expect(await balanceOf(product, investor)).toBe(30)
  expect((await approveFor(first(), investor, id, changed)).status).toBe(200)
  await save(investor)
  expect(await seen(id)).toMatchObject({ status: 'APPROVED', payee: { address: changed } })
})

test('a first approval counts only for its address', async () => {
  const investor = await investorWith(product, 500)
  const shown = await save(investor)
  const id = await ask(investor, 200)
  expect(await approveFor(first(), investor, id, shown)).toMatchObject({
    body: { status: 'PENDING' },
  })
  const changed = await save(investor)
  expect(await approveFor(second(), investor, id, shown)).toMatchObject({
    status: 409,
    body: { code: 'payeeChanged' },
  })
  expect(await approveFor(second(), investor, id, changed)).toMatchObject({
    body: { status: 'PENDING' },
  })
  expect(await approveFor(first(), investor, id, changed)).toMatchObject({
    body: { status: 'APPROVED' },
  })
  const { rows } = await product.database.pool.query(
    'SELECT payee_address FROM transactions WHERE id = $1',
    [id],
  )
  expect(rows).toEqual([{ payee_address: changed }])
})

test('the database adds no approvals for different addresses', async () => {
  const investor = await investorWith(product, 500)
  const shown = await save(investor)
  const id = await ask(investor, 200)
  await approveFor(first(), investor, id, shown)
  const changed = await save(investor)
  expect(await approveFor(second(), investor, id, changed)).toMatchObject({
    body: { status: 'PENDING' },
  })
  const statement =
    "UPDATE transactions SET status = 'APPROVED', ending = 'decided', decided_by = $2, payee_address = $3, updated_at = now() WHERE id = $1"
  for (const address of [shown, changed])
    await expect(
      product.database.pool.query(statement, [id, second().id, address]),
    ).rejects.toThrow(/needs 2 approvals/)
  expect(await seen(id)).toMatchObject({ status: 'PENDING' })
})

test('an address saved during approvals is never paid unseen', async () => {
  // Without approvals today, no round needs a second one.
  const [investor, approver] = [
    await investorWith(product, 1_000),
    await person(product, ['ADMIN']),
  ]
  for (let round = 0; round < 10; round += 1) {
    const shown = await save(investor)
    const id = await ask(investor, 10)
    const [changed, answer] = await Promise.all([
      save(investor),
      approveFor(approver, investor, id, shown),
    ])
    const after = await seen(id)
    if (answer.status === 200) expect(after).toMatchObject({ payee: { address: shown } })
    else
      expect([answer.body, after]).toMatchObject([
        { code: 'payeeChanged' },
        { status: 'PENDING', payee: { address: changed } },
      ])
  }
})

test('live mode approves nothing without the shown address', async () => {
  const live = await startProduct(LIVE)
  try {
    const [investor, admin] = [await investorWith(live, 50), await person(live, ['ADMIN'])]
    const asked = await live.call(withdraw, {
      token: investor.token,
      payload: {
        userId: investor.id,
        amount: 20,
        destinationAddress: newAddress(),
        networkName: 'Bitcoin',
      },
    })
    const { transactionId } = asked.body
    const bare = await live.call(approve, {
      token: admin.token,
      payload: { transactionId, userId: investor.id },
    })
    expect(bare).toMatchObject({ status: 409, body: { code: 'payeeNotShown' } })
    expect(await balanceOf(live, investor)).toBe(30)
  } finally {
    await live.close()
  }
})
