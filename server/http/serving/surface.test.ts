import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { listUsers, login } from '@pool/contract/accounts/users'
import { type Endpoint, IDEMPOTENCY_HEADER } from '@pool/contract/base/endpoint'
import { endpoints } from '@pool/contract/base/endpoints'
import { deposit } from '@pool/contract/requests/requests'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { TIMEOUTS } from '../../base/process/timeouts.ts'
import {
  type Person,
  type Product,
  person,
  startProduct,
  testProduct,
} from '../../testing/product.ts'

const product = testProduct({}, { pages: true })
let chief: Person
let port: number
beforeAll(async () => {
  chief = await person(product, ['SUPER_ADMIN'])
  await product.app.listen({ host: '127.0.0.1', port: 0 })
  port = portOf(product)
})

const portOf = ({ app }: Product): number => (app.server.address() as AddressInfo).port

/** Sends raw bytes and reads the response to its end. */
const sendRaw = (
  text: string,
  to = port,
): Promise<{ status: number; headers: string; body: string }> =>
  new Promise((resolve, reject) => {
    const socket = connect(to, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (part) => {
      answer += part.toString()
    })
    // Ignores a reset after the response, since unsent bytes may cause it.
    socket.on('error', (error) => answer === '' && reject(error))
    socket.on('close', () => {
      const [headers = '', body = ''] = answer.split('\r\n\r\n')
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(headers)?.[1]), headers, body })
    })
  })

/** Text that no response may contain: paths, stack traces, libraries and versions. */
const LEAKS = /node_modules|\.ts:\d|\bat \S+ \(|fastify|postgres|\/server\/|v?\d+\.\d+\.\d+/i

describe('an invalid request', () => {
  const http = (path: string, ...headers: string[]) =>
    `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers.join('')}\r\n`
  test.each([
    [
      'a header that is too long',
      http('/api/v1/health', `x-long: ${'a'.repeat(20_000)}\r\n`),
      431,
      'headersTooLarge',
    ],
    [
      'too many headers',
      http('/api/v1/health', ...Array.from({ length: 3_000 }, (_, n) => `x-${n}: y\r\n`)),
      431,
      'headersTooLarge',
    ],
    [
      'a URL that is too long',
      http(`/api/v1/health?${'a'.repeat(20_000)}`),
      431,
      'headersTooLarge',
    ],
    ['a text that is not HTTP', 'hello\r\n\r\n', 400, 'notHttp'],
    [
      'a request that can be read as two',
      'POST /login HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'notHttp',
    ],
  ])('gets an envelope that leaks nothing: %s', async (_, text, status, code) => {
    const { status: answered, headers, body } = await sendRaw(text)
    expect([answered, JSON.parse(body)]).toEqual([
      status,
      { successful: false, narration: expect.stringMatching(/^[A-Z].+\.$/), body: { code } },
    ])
    expect(body).not.toMatch(LEAKS)
    expect(headers).toMatch(/content-type: application\/json/i)
    expect(headers).not.toMatch(/^(server|x-powered-by):/im)
  })

  test('is disconnected even when the client stays', async () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => undefined).resume()
    socket.write('hello\r\n\r\n')
    await once(socket, 'end')
    const { server } = product.app
    const open = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
    await vi.waitFor(async () => expect(await open()).toBe(0), { timeout: 20_000 })
    socket.destroy()
  })

  test('gets no 500 for any depth or shape of body', async () => {
    const deep = (n: number, open: string, close: string) => open.repeat(n) + close.repeat(n)
    const bodies = [
      deep(15_000, '[', ']'),
      `${'{"detail":'.repeat(6_000)}1${'}'.repeat(6_000)}`,
      `{"username":"a@example.com","password":"secret1","detail":${deep(15_000, '[', ']')}}`,
      `{${Array.from({ length: 4_000 }, (_, n) => `"k${n}":${n}`).join(',')}}`,
      `[${'1e400,'.repeat(8_000)}1]`,
      `{"username":${'9'.repeat(60_000)}}`,
    ]
    for (const payload of bodies) {
      const headers = { 'content-type': 'application/json' }
      const { statusCode, body } = await product.app.inject({
        method: 'POST',
        url: login.path,
        headers,
        payload,
      })
      expect([payload.slice(0, 40), statusCode, JSON.parse(body).successful]).toEqual([
        payload.slice(0, 40),
        expect.any(Number),
        false,
      ])
      expect([400, 401, 413]).toContain(statusCode)
      expect(body).not.toMatch(LEAKS)
    }
  })
})

test.each([
  ['headers', `POST ${login.path} HTTP/1.1\r\nhost: x\r\nx-slow: `],
  [
    'bytes of a body',
    `POST ${login.path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"use`,
  ],
])('a request with endless %s gets 408', async (_, beginning) => {
  const hurried = await startProduct({}, { timeouts: { ...TIMEOUTS, arrival: 500 } })
  await hurried.app.listen({ host: '127.0.0.1', port: 0 })
  const { status, body } = await sendRaw(beginning, portOf(hurried))
  expect([status, JSON.parse(body)]).toMatchObject([
    408,
    { successful: false, body: { code: 'requestTimeout' } },
  ])
  await hurried.close()
})

test('no method or folder lists or echoes anything', async () => {
  for (const [method, url] of [
    ['TRACE', '/login'],
    ['TRACE', login.path],
    ['GET', '/assets/'],
    ['GET', '/.git/config'],
    ['GET', '/assets/../package.json'],
  ] as const) {
    const headers = { authorization: 'Bearer not-a-session' }
    const answer = await product.app.inject({ method: method as 'GET', url, headers })
    expect([method, url, answer.statusCode]).toEqual([method, url, 404])
    expect(answer.json().body).toEqual({ code: 'routeNotFound' })
    expect(answer.body).not.toContain('not-a-session')
  }
  const { statusCode, body } = await product.app.inject({ method: 'OPTIONS', url: login.path })
  expect([statusCode, body]).toEqual([204, ''])
})

test('the manifest of the built app names the product', async () => {
  const answer = await product.app.inject({ url: '/manifest.webmanifest' })
  // Without a build there is none, and no page stands in for it.
  const isBuilt = (await product.app.inject({ url: '/' })).statusCode === 200
  expect(answer.statusCode).toBe(isBuilt ? 200 : 404)
  if (isBuilt) expect(answer.json()).toMatchObject({ name: 'Peer Lending Pool' })
})

test('a name that comes twice in a query is refused', async () => {
  const headers = { authorization: `Bearer ${chief.token}` }
  const answer = async (query: string) =>
    (await product.app.inject({ url: `${listUsers.path}?${query}`, headers })).statusCode
  expect([await answer('limit=1'), await answer('limit=1&limit=2')]).toEqual([200, 400])
  expect(await answer('search=a&search=b')).toBe(400)
})

test('a request must arrive within ten seconds', () => {
  const { requestTimeout, headersTimeout } = product.app.server
  expect([requestTimeout, headersTimeout]).toEqual([10_000, 10_000])
})

test('no response reveals details of a broken database', async () => {
  const broken = await startProduct()
  const { token, id, email } = await person(broken, ['SUPER_ADMIN'])
  await broken.database.superuser.query(
    'ALTER TABLE idempotency_keys RENAME TO gone; ALTER TABLE users RENAME COLUMN username TO gone',
  )
  let internal = 0
  for (const endpoint of Object.values(endpoints) as Endpoint[]) {
    if (endpoint.streams) continue
    const answer = await broken.app.inject({
      method: endpoint.method,
      url: endpoint.path.replace(/\{\w+\}/g, id),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(endpoint.method !== 'GET' && {
        payload: { username: email, password: 'a quiet password', userId: id, amount: 20 },
      }),
    })
    if (answer.statusCode >= 500) internal += 1
    expect([endpoint.path, answer.headers['content-type']]).toEqual([
      endpoint.path,
      expect.stringMatching(/^application\/json/),
    ])
    expect(answer.body).not.toMatch(/relation|column|function|username_|SELECT|syntax/i)
    if (answer.statusCode !== 200)
      expect(Object.keys(answer.json()).sort()).toEqual(['body', 'narration', 'successful'])
  }
  expect(internal, 'the database was broken').toBeGreaterThan(10)
  await broken.close()
})

test.each([
  ['plain HTTP', {}, {}, undefined],
  ['plain HTTP that claims to be TLS', {}, { 'x-forwarded-proto': 'https' }, undefined],
  [
    'TLS at a trusted proxy',
    { TRUST_PROXY: 'loopback' },
    { 'x-forwarded-proto': 'https' },
    /max-age=31536000/,
  ],
  [
    'plain HTTP at a trusted proxy',
    { TRUST_PROXY: 'loopback' },
    { 'x-forwarded-proto': 'http' },
    undefined,
  ],
  ['a public address with TLS', { PUBLIC_URL: 'https://pool.example.com' }, {}, /max-age=31536000/],
])('behind %s, HSTS is sent only with TLS', async (_, environment, headers, expected) => {
  const behind = await startProduct(environment, { pages: true })
  for (const url of ['/api/v1/health', '/login', '/api/v1/nothing']) {
    const sent = (await behind.app.inject({ url, headers, remoteAddress: '127.0.0.1' })).headers[
      'strict-transport-security'
    ]
    if (expected) expect(sent).toMatch(expected)
    else expect(sent).toBeUndefined()
  }
  await behind.close()
})

test('a preflight of another site is refused unless allowed', async () => {
  const headers = {
    origin: 'https://elsewhere.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  }
  for (const { method, path } of Object.values(endpoints) as Endpoint[]) {
    if (method === 'GET') continue
    const answer = await product.app.inject({
      method: 'OPTIONS',
      url: path.replace(/\{\w+\}/g, chief.id),
      headers,
    })
    expect([
      path,
      answer.headers['access-control-allow-origin'],
      answer.headers['access-control-allow-credentials'],
    ]).toEqual([path, undefined, undefined])
  }
  const open = await startProduct({ ALLOWED_ORIGINS: headers.origin })
  const allowed = await open.app.inject({ method: 'OPTIONS', url: deposit.path, headers })
  expect(allowed.headers['access-control-allow-origin']).toBe(headers.origin)
  expect(allowed.headers['access-control-allow-headers']).toBe(
    ['authorization', 'content-type', 'if-none-match', IDEMPOTENCY_HEADER].join(', '),
  )
  expect(allowed.headers['access-control-allow-credentials']).toBeUndefined()
  await open.close()
})
