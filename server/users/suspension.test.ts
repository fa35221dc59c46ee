import { withdraw } from '@pool/contract/requests'
import { listTransactions } from '@pool/contract/transactions'
import { listUsers, login, type User } from '@pool/contract/users'
import { expect, test } from 'vitest'
import { startSession } from '../sessions/sessions.ts'
import { balanceOf, investorWith, PASSWORD, person, testProduct } from '../testing/product.ts'
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
  const token = await startSession(product.context.db, id)
  expect((await product.call(listTransactions, { token })).status).toBe(401)
})

test('the list of users marks suspended users', async () => {
  const { token } = await person(product, ['SUPER_ADMIN'])
  const { email } = await person(product)
  const listed = async () =>
    ((await product.call(listUsers, { token, query: { search: email } })).body as User[])[0]
  expect(await listed()).toMatchObject({ suspended: false })
  await suspendUser(product.context, { email, by })
  expect(await listed()).toMatchObject({ suspended: true })
})
