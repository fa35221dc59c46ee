import { logout } from '@pool/contract/accounts/users'
import { listAudit } from '@pool/contract/reports/audit'
import { withdraw } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import { beforeAll, expect, test } from 'vitest'
import { startSession } from '../../base/sessions/sessions.ts'
import { balanceOf, investorWith, type Person, person, testProduct } from '../../testing/product.ts'

const product = testProduct()
let superAdmin: Person
beforeAll(async () => {
  superAdmin = await person(product, ['SUPER_ADMIN'])
})

const leave = async (token: string) => (await product.call(logout, { token })).status
const ask = async (token: string) => (await product.call(listTransactions, { token })).status
const anotherOf = ({ id }: Person) => startSession(product.context, id)
const endings = async ({ id }: Person) => {
  const query = { search: id, action: 'session.ended' }
  return (await product.call(listAudit, { token: superAdmin.token, query })).body
}

test('logging out ends only that session', async () => {
  const someone = await person(product)
  const other = await anotherOf(someone)
  expect(await leave(someone.token)).toBe(200)
  expect([await ask(someone.token), await ask(other), await ask(superAdmin.token)]).toEqual([
    401, 200, 200,
  ])
})

test('logging out is recorded once for the owner', async () => {
  const someone = await person(product)
  expect([await leave(someone.token), await leave(someone.token)]).toEqual([200, 401])
  const own = {
    actorId: someone.id,
    actor: someone.email,
    ownerId: someone.id,
    subjectId: someone.id,
    source: '127.0.0.1',
  }
  expect(await endings(someone)).toMatchObject([{ ...own, before: null, after: null }])
})

test('simultaneous logouts of a session are recorded once', async () => {
  const someone = await person(product)
  const statuses = await Promise.all(Array.from({ length: 30 }, () => leave(someone.token)))
  expect(new Set([...statuses, 200, 401])).toEqual(new Set([200, 401]))
  expect(statuses).toContain(200)
  expect(await endings(someone)).toHaveLength(1)
})

test('a call beside a logout commits before it or never', async () => {
  for (let round = 0; round < 20; round += 1) {
    const investor = await investorWith(product, 20)
    const token = await anotherOf(investor)
    const payload = { userId: investor.id, amount: 20 }
    const [left, asked] = await Promise.all([
      leave(token),
      product.call(withdraw, { token, payload }),
    ])
    expect([200, 401]).toContain(asked.status)
    expect([left, await balanceOf(product, investor)]).toEqual([200, asked.status === 200 ? 0 : 20])
    expect((await product.call(withdraw, { token, payload })).status).toBe(401)
  }
})
