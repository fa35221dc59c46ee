import { listUsers, login } from '@pool/contract/accounts/users'
import { cents } from '@pool/contract/base/money'
import type { Refusal } from '@pool/contract/base/refusals'
import { approve } from '@pool/contract/requests/decisions'
import { withdraw } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import { expect, test } from 'vitest'
import { startSession } from '../../base/sessions/sessions.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import {
  actAs,
  balanceOf,
  codeOf,
  investorWith,
  PASSWORD,
  type Person,
  person,
  testProduct,
} from '../../testing/product.ts'
import { resumeUser, suspendUser } from './roles.ts'

const by = { name: 'operator', from: 'operator' }

const product = testProduct()

test('a suspended user is out until resumed and signed in', async () => {
  const investor = await investorWith(product, 100)
  const { email, token, id } = investor
  await suspendUser(product.context, { email: email.toUpperCase(), by })
  expect((await product.call(listTransactions, { token })).status).toBe(401)
  expect(
    (await product.call(withdraw, { token, payload: { userId: id, amount: 10 } })).status,
  ).toBe(401)

  await resumeUser(product.context, { email, by })
  expect((await product.call(listTransactions, { token })).status).toBe(401)
  const { body } = await product.call(login, { payload: { username: email, password: PASSWORD } })
  expect(await balanceOf(product, { ...investor, token: body.token })).toBe(100)
})

test('only the right password reveals the suspension', async () => {
  const { email, id } = await person(product)
  await suspendUser(product.context, { email, by })
  const attempt = (password: string) =>
    product.call(login, { payload: { username: email, password } })
  expect(await attempt('not the password')).toMatchObject({
    status: 401,
    narration: 'Invalid email or password.',
  })
  expect(await attempt(PASSWORD)).toMatchObject({ status: 403, body: { code: 'suspended' } })
  const { rows } = await product.database.pool.query(
    "SELECT reason FROM audit_entries WHERE owner_id = $1 AND action = 'session.refused' ORDER BY id",
    [id],
  )
  expect(rows).toEqual([{ reason: 'invalidCredentials' }, { reason: 'suspended' }])
})

test('a session started during a suspension is invalid', async () => {
  const { email, id } = await person(product)
  await suspendUser(product.context, { email, by })
  const token = await startSession(product.context, id)
  expect((await product.call(listTransactions, { token })).status).toBe(401)
})

test('the list of users marks suspended users', async () => {
  const { token } = await person(product, ['SUPER_ADMIN'])
  const { email } = await person(product)
  const listed = async () =>
    (await product.call(listUsers, { token, query: { search: email } })).body[0]
  expect(await listed()).toMatchObject({ suspended: false })
  await suspendUser(product.context, { email, by })
  expect(await listed()).toMatchObject({ suspended: true })
})

const withdrawals = (investor: Person, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const by = { id: investor.id, from: 'tests' }
      return (await requestWithdrawal(product.context, { by, amount: cents(10_00n) })).transactionId
    }),
  )

test('a suspended investor’s withdrawal waits for the resumption', async () => {
  const investor = await investorWith(product, 100)
  const { token } = await person(product, ['ADMIN'])
  const [transactionId = ''] = await withdrawals(investor, 1)
  const pay = () =>
    product.call(approve, { token, payload: { transactionId, userId: investor.id } })
  await suspendUser(product.context, { email: investor.email, by })
  const refused = await pay()
  expect([refused.status, codeOf(refused)]).toEqual([409, 'ownerSuspended'])
  const query = { search: investor.email, status: 'PENDING', limit: '10' }
  const { body } = await product.call(listTransactions, { token, query })
  expect(body[0]?.flags?.[0]).toBe('ownerSuspended')
  await resumeUser(product.context, { email: investor.email, by })
  expect((await pay()).status).toBe(200)
})

test('no approval under way slips past a suspension', async () => {
  for (let round = 0; round < 4; round += 1) {
    const investor = await investorWith(product, 1_000)
    const ids = await withdrawals(investor, 20)
    const admin = actAs(await person(product, ['ADMIN']))
    let isSuspended = false
    // Each approves through a process of its own until it is refused.
    const approvals = Array.from({ length: 4 }, async (_, place) => {
      const context = { ...product.context, ledger: openLedger(product.database.pool) }
      const late: string[] = []
      for (const transactionId of ids.filter((__, index) => index % 4 === place)) {
        const wasSuspended = isSuspended
        const code = await approveWithdrawal(context, {
          transactionId,
          userId: investor.id,
          by: admin,
        }).then(
          () => 'done',
          (error: Refusal) => error.code,
        )
        if (wasSuspended) late.push(code)
      }
      return late
    })
    await suspendUser(product.context, { email: investor.email, by })
    isSuspended = true
    const late = (await Promise.all(approvals)).flat()
    expect(new Set(late)).toEqual(new Set(['ownerSuspended']))
  }
})
