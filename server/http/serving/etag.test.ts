import { brotliDecompressSync } from 'node:zlib'
import { listUsers } from '@pool/contract/accounts/users'
import { listAllInvestments } from '@pool/contract/money/investments'
import { adminFigures } from '@pool/contract/reports/figures'
import { balance, listTransactions } from '@pool/contract/requests/transactions'
import { beforeAll, expect, test } from 'vitest'
import { investorWith, type Person, person, testProduct } from '../../testing/product.ts'

const product = testProduct({ ALLOWED_ORIGINS: 'https://elsewhere.example' })
let chief: Person
let investor: Person
beforeAll(async () => {
  chief = await person(product, ['SUPER_ADMIN'])
  investor = await investorWith(product, 100)
})

const read = (path: string, { token }: Person, headers = {}) =>
  product.app.inject({ url: path, headers: { authorization: `Bearer ${token}`, ...headers } })

test.each([
  ['transactions', `${listTransactions.path}?limit=50`],
  ['transactions, whole', listTransactions.path],
  ['investments', `${listAllInvestments.path}?limit=50`],
  ['users', `${listUsers.path}?limit=50`],
  ['figures', adminFigures.path],
])('unchanged %s are not sent again', async (_, path) => {
  const { headers, statusCode } = await read(path, chief)
  expect([statusCode, headers.etag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]{27}"$/)])
  // Only the page that asked may keep the response.
  expect(headers['cache-control']).toBe('no-store')
  for (const named of [headers.etag, `"another", ${headers.etag}`, `${headers.etag}`.slice(2)]) {
    const again = await read(path, chief, { 'if-none-match': named, 'accept-encoding': 'br' })
    expect([
      again.statusCode,
      again.body,
      again.headers.etag,
      again.headers['cache-control'],
    ]).toEqual([304, '', headers.etag, 'no-store'])
  }
  expect((await read(path, chief, { 'if-none-match': 'W/"another"' })).statusCode).toBe(200)
})

test('a changed response has a new ETag', async () => {
  const path = `${listTransactions.path}?limit=50`
  const { headers } = await read(path, chief)
  await investorWith(product, 5)
  const changed = await read(path, chief, { 'if-none-match': headers.etag })
  expect(changed.statusCode).toBe(200)
  expect(changed.headers.etag).not.toBe(headers.etag)
})

test('an ETag grants no right to a response', async () => {
  const { headers } = await read(`${listUsers.path}?limit=50`, chief)
  const named = { 'if-none-match': headers.etag }
  expect((await read(`${listUsers.path}?limit=50`, investor, named)).statusCode).toBe(403)
  expect(
    (await product.app.inject({ url: `${listUsers.path}?limit=50`, headers: named })).statusCode,
  ).toBe(401)
})

test('a write’s response has no ETag', async () => {
  const { headers, statusCode } = await product.app.inject({
    method: 'POST',
    url: balance.path,
    headers: { authorization: `Bearer ${investor.token}` },
    payload: { userId: investor.id },
  })
  expect([statusCode, headers.etag]).toEqual([200, undefined])
})

test('an allowed site can send and read ETags', async () => {
  const { headers } = await read(`${listUsers.path}?limit=5`, chief, {
    origin: 'https://elsewhere.example',
  })
  expect(headers['access-control-expose-headers']).toBe('etag, as-of')
})

test('long responses are compressed and short ones are not', async () => {
  await Promise.all(Array.from({ length: 10 }, () => person(product)))
  const long = await read(`${listUsers.path}?limit=50`, chief, { 'accept-encoding': 'br, gzip' })
  expect([long.headers['content-encoding'], long.headers.vary]).toEqual([
    'br',
    expect.stringContaining('accept-encoding'),
  ])
  expect(JSON.parse(brotliDecompressSync(long.rawPayload).toString()).body.length).toBeGreaterThan(
    10,
  )
  expect(long.rawPayload.length * 3).toBeLessThan(brotliDecompressSync(long.rawPayload).length)
  const short = await read(`${listUsers.path}?limit=0`, chief, { 'accept-encoding': 'br, gzip' })
  expect(short.headers['content-encoding']).toBeUndefined()
})
