import {
  addNote,
  listNotes,
  type Person as PersonOnPage,
  personAccess,
  person as personCall,
} from '@pool/contract/accounts/people'
import { listAllInvestments } from '@pool/contract/money/investments'
import { readTimeline } from '@pool/contract/reports/timeline'
import { withdraw } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import { beforeAll, expect, test } from 'vitest'
import { addApp } from '../../testing/factors.ts'
import { investorWith, type Person, person, testProduct } from '../../testing/product.ts'

const product = testProduct()
let investor: Person
let admin: Person
let superAdmin: Person
beforeAll(async () => {
  investor = await investorWith(product, 100)
  admin = await person(product, ['ADMIN'])
  superAdmin = await person(product, ['SUPER_ADMIN'])
})

const NOBODY = '00000000-0000-7000-8000-000000000000'
const about = (who: Person, token = admin.token) => ({ token, params: { id: who.id } })

test('staff see the balances of a person', async () => {
  const subject = await investorWith(product, 300)
  await product.call(withdraw, {
    token: subject.token,
    payload: { userId: subject.id, amount: 40 },
  })
  const { body } = await product.call(personCall, about(subject))
  expect(body).toMatchObject({
    id: subject.id,
    username: subject.email,
    suspended: false,
    frozen: false,
    balances: { available: 260, held: 40, invested: 0 },
  } satisfies Partial<PersonOnPage>)
  // Roles are for super admins.
  expect(body).not.toHaveProperty('roles')
})

test('access shows kinds and names, no secrets', async () => {
  const subject = await person(product)
  await addApp(product, subject)
  const { status, body } = await product.call(personAccess, about(subject, superAdmin.token))
  expect(status).toBe(200)
  expect(body).toMatchObject({
    roles: [{ type: 'USER' }],
    sessions: [{ ip: expect.any(String) }],
    factors: [{ kind: 'TOTP', name: expect.any(String) }],
    recoveryCodes: 10,
  })
  expect(JSON.stringify(body)).not.toMatch(/secret|digest|token|key_id|hash/i)
})

test('notes keep their author and only grow', async () => {
  const first = await product.call(addNote, {
    ...about(investor),
    payload: { text: '  Called about a deposit.\nWill send the receipt.  ' },
  })
  await product.call(addNote, {
    ...about(investor, superAdmin.token),
    payload: { text: 'Receipt has arrived' },
  })
  expect(first).toMatchObject({ status: 200, body: { author: admin.email } })
  const { body } = await product.call(listNotes, about(investor))
  expect(body.map(({ author, text }) => [author, text])).toEqual([
    [superAdmin.email, 'Receipt has arrived'],
    [admin.email, 'Called about a deposit.\nWill send the receipt.'],
  ])
  const { pool } = product.database
  await expect(pool.query("UPDATE notes SET text = 'x'")).rejects.toThrow()
  await expect(pool.query('DELETE FROM notes')).rejects.toThrow()
  await expect(pool.query('TRUNCATE notes')).rejects.toThrow()
})

test.each(['', '   ', 'x'.repeat(501), 'a\u0000b'])('the note %j is refused', async (text) => {
  const answer = await product.call(addNote, { ...about(investor), payload: { text } })
  expect(answer.status).toBe(400)
})

test('lists of money name one owner by id', async () => {
  const { body } = await product.call(listTransactions, {
    token: admin.token,
    query: { userId: investor.id },
  })
  const owners = body.map(({ userId }) => userId)
  expect(new Set(owners)).toEqual(new Set([investor.id]))
  const investments = await product.call(listAllInvestments, {
    token: admin.token,
    query: { userId: investor.id, limit: '5' },
  })
  expect(investments).toMatchObject({ status: 200, body: [], page: { total: 0 } })
})

test('an investor cannot name another owner', async () => {
  const other = await person(product)
  const asked = (id: string) =>
    product.call(listTransactions, { token: investor.token, query: { userId: id } })
  expect((await asked(other.id)).status).toBe(403)
  expect((await asked(investor.id)).status).toBe(200)
})

test.each([personCall, personAccess, readTimeline, listNotes])(
  '$path of an unknown person answers 404',
  async (endpoint) => {
    const answer = await product.call(endpoint, {
      token: superAdmin.token,
      params: { id: NOBODY },
    })
    expect(answer).toMatchObject({ status: 404, body: { code: 'userNotFound' } })
  },
)
