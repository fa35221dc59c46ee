import { login } from '@pool/contract/accounts/users'
import { balance } from '@pool/contract/requests/transactions'
import { beforeAll, expect, test } from 'vitest'
import { LIVE } from '../../testing/live.ts'
import { PASSWORD, type Person, person, startProduct, testProduct } from '../../testing/product.ts'

const PROXY = '10.0.0.7'
const PUBLIC_URL = 'https://pool.example.com'

const product = testProduct(
  { ...LIVE, TRUST_PROXY: `loopback,${PROXY}`, PUBLIC_URL },
  { pages: true },
)
let investor: Person
beforeAll(async () => {
  investor = await person(product)
})

type SentHeaders = { readonly from: string; readonly proto?: string }
const headersOf = ({ proto }: SentHeaders) =>
  proto === undefined ? {} : { 'x-forwarded-proto': proto }
const page = (url: string, sent: SentHeaders, { app } = product) =>
  app.inject({ url, headers: headersOf(sent), remoteAddress: sent.from })
const signIn = (sent: SentHeaders, { app } = product) =>
  app.inject({
    method: 'POST',
    url: login.path,
    headers: headersOf(sent),
    remoteAddress: sent.from,
    payload: { username: investor.email, password: PASSWORD },
  })

const inTheClear: readonly SentHeaders[] = [
  { from: PROXY, proto: 'http' },
  { from: PROXY, proto: 'https, http' },
  { from: PROXY },
  { from: '127.0.0.1', proto: 'http' },
  // A proxy of this host that says nothing.
  { from: '127.0.0.1' },
  { from: '::1' },
  { from: '203.0.113.9' },
  { from: '203.0.113.9', proto: 'https' },
]
const safe: readonly SentHeaders[] = [
  { from: PROXY, proto: 'https' },
  { from: '127.0.0.1', proto: 'https' },
]

test.each(inTheClear)('a call %j is refused', async (sent) => {
  const before = await product.database.pool.query('SELECT count(*) FROM audit_entries')
  const answer = await signIn(sent)
  expect([answer.statusCode, answer.json()]).toEqual([
    403,
    {
      successful: false,
      narration: 'This service is reached by https alone. Please use its https address.',
      body: { code: 'httpsRequired' },
    },
  ])
  const { statusCode } = await product.app.inject({
    method: 'POST',
    url: balance.path,
    headers: { ...headersOf(sent), authorization: `Bearer ${investor.token}` },
    remoteAddress: sent.from,
    payload: { userId: investor.id },
  })
  expect(statusCode).toBe(403)
  expect((await product.database.pool.query('SELECT count(*) FROM audit_entries')).rows).toEqual(
    before.rows,
  )
})

test.each(safe)('a call %j is answered', async (sent) => {
  expect((await signIn(sent)).statusCode).toBe(200)
  expect((await page('/login', sent)).statusCode).toBe(200)
})

test.each(inTheClear)('a page %j redirects to the public URL', async (sent) => {
  for (const url of ['/login?lang=es', '/', '//elsewhere.example/', '/nowhere']) {
    const { statusCode, headers } = await page(url, sent)
    expect([statusCode, headers.location]).toEqual([308, `${PUBLIC_URL}${url}`])
  }
})

test('health is answered over plain http', async () => {
  for (const url of ['/api/v1/health', '/api/v1/health/ready', '/api/v1/health/ready?x=1'])
    for (const from of ['10.0.0.9', '127.0.0.1'])
      expect([url, (await page(url, { from })).statusCode]).toEqual([url, 200])
})

test('without an https public URL pages are refused too', async () => {
  const nameless = await startProduct(
    { ...LIVE, TRUST_PROXY: PROXY, PUBLIC_URL: 'http://pool.example.com' },
    { pages: true },
  )
  expect((await page('/login', { from: PROXY, proto: 'http' }, nameless)).statusCode).toBe(403)
  await nameless.close()
})

test.each([
  ['a sandbox', { TRUST_PROXY: PROXY }],
  [
    'live mode that may be plain',
    { ...LIVE, TRUST_PROXY: PROXY, ALLOW_PLAIN_HTTP_IN_LIVE: 'true' },
  ],
  ['live mode without a proxy', LIVE],
])('%s answers over plain http', async (_, environment) => {
  const open = await startProduct(environment, { pages: true })
  for (const sent of inTheClear) expect((await page('/login', sent, open)).statusCode).toBe(200)
  await open.close()
})
