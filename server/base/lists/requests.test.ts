import type { Endpoint } from '@pool/contract/base/endpoint'
import { listTransactions } from '@pool/contract/requests/transactions'
import { beforeAll, expect, test } from 'vitest'
import { type Person, person, testProduct } from '../../testing/product.ts'

const product = testProduct()
let admin: Person
beforeAll(async () => {
  admin = await person(product, ['SUPER_ADMIN'])
})

type Query = Readonly<Record<string, string>>

const ask = (endpoint: Endpoint, query: Query) =>
  product.call(endpoint, { token: admin.token, query })

const cursorOf = (...parts: unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url')
const at = '2026-01-31T00:00:00.000000Z'
const SOME_ID = '0198c0de-0000-7000-8000-000000000001'

test.each<[string, Query]>([
  ['limit', { limit: '1001' }],
  ['limit', { limit: '-1' }],
  ['limit', { limit: '1.5' }],
  ['limit', { limit: '' }],
  ['limit', { limit: 'ten' }],
  ['sort', { sort: 'userId' }],
  ['order', { order: 'up' }],
  ['status', { status: 'PENDING,GONE' }],
  ['status', { status: '' }],
  ['type', { type: 'gift' }],
  ['network', { network: 'Dogecoin' }],
  ['amountFrom', { amountFrom: '' }],
  ['amountFrom', { amountFrom: '-1' }],
  ['amountFrom', { amountFrom: '1.005' }],
  ['amountFrom', { amountFrom: '1e3' }],
  ['amountTo', { amountTo: 'many' }],
  ['amountTo', { amountTo: '100000000' }],
  ['ids', { ids: 'no id' }],
  ['ids', { ids: Array.from({ length: 101 }, () => SOME_ID).join(',') }],
  ['search', { search: 'x'.repeat(201) }],
  ['search', { search: 'a\0b' }],
  ['from', { from: '2026-02-30' }],
  ['from', { from: 'yesterday' }],
  ['to', { to: '2026-01-31T00:00:00' }],
  ['to', { to: '2026-01-31 00:00:00+02' }],
  ['cursor', { cursor: 'nonsense' }],
  ['cursor', { cursor: '' }],
  ['cursor', { cursor: cursorOf('createdAt', 'desc', '2026-02-30T00:00:00.000000Z', SOME_ID) }],
  ['cursor', { cursor: cursorOf('createdAt', 'desc', '0000-01-01T00:00:00.000000Z', SOME_ID) }],
  ['cursor', { cursor: cursorOf('createdAt', 'desc', at, 'no id') }],
  ['cursor', { cursor: cursorOf('createdAt', 'asc', at, SOME_ID) }],
  ['cursor', { cursor: cursorOf('updatedAt', 'desc', at, SOME_ID) }],
  [
    'cursor',
    { sort: 'amount', cursor: cursorOf('amount', 'desc', '99999999999999999999', SOME_ID) },
  ],
])('a wrong %s is refused with a message: %j', async (field, query) => {
  expect(await ask(listTransactions, { limit: '5', ...query })).toMatchObject({
    status: 400,
    successful: false,
    narration: expect.stringMatching(/^[A-Z].+ .+/),
    body: { code: 'validation', field },
  })
})

test.each(['0000-01-01', '0001-01-01T00:00:00Z', '9999-12-31', '9999-12-31T23:59:59.999999Z'])(
  '%s is a valid date',
  async (date) => {
    for (const query of [{ from: date }, { to: date }])
      expect((await ask(listTransactions, query)).status).toBe(200)
  },
)

test('a repeated parameter is refused', async () => {
  const { statusCode } = await product.app.inject({
    url: `${listTransactions.path}?status=PENDING&status=APPROVED`,
    headers: { authorization: `Bearer ${admin.token}` },
  })
  expect(statusCode).toBe(400)
})
