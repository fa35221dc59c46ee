import { login } from '@pool/contract/accounts/users'
import { messageForStatus } from '@pool/contract/base/messages'
import { deposit } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import type { InjectOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { openLog } from '../../base/process/log.ts'
import { buildApp } from '../../operator/app.ts'
import { type Product, person, startProduct, testProduct } from '../../testing/product.ts'

const product = testProduct({}, { pages: true })

const json = { 'content-type': 'application/json' }
const post = (payload: string | Buffer, headers: Record<string, string> = json): InjectOptions => ({
  method: 'POST',
  url: login.path,
  headers,
  payload,
})

describe('an envelope with a message answers', () => {
  test.each<[string, InjectOptions, number, string]>([
    ['an unknown call', { url: '/api/v1/nothing-here' }, 404, 'routeNotFound'],
    ['/api itself', { url: '/api' }, 404, 'routeNotFound'],
    ['an asset of another build', { url: '/assets/gone-12345678.js' }, 404, 'routeNotFound'],
    ['a known call by a wrong method', { method: 'DELETE', url: login.path }, 404, 'routeNotFound'],
    [
      'a write outside the API',
      { method: 'POST', url: '/login', headers: json, payload: '{}' },
      404,
      'routeNotFound',
    ],
    ['malformed JSON', post('{"username":'), 400, 'malformedJson'],
    ['a payload that is not an object', post('[1,2]'), 400, 'validation'],
    ['a payload that is null', post('null'), 400, 'validation'],
    ['no payload at all', post(''), 400, 'validation'],
    [
      'prototype poisoning',
      post('{"__proto__":{"admin":true},"username":"a@b.co","password":"secret1"}'),
      400,
      'malformedJson',
    ],
    ['plain text', post('hello', { 'content-type': 'text/plain' }), 415, 'unsupportedMediaType'],
    [
      'a form',
      post('username=a&password=b', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'unsupportedMediaType',
    ],
    [
      'an oversized body',
      post(JSON.stringify({ username: 'a'.repeat(100_000) })),
      413,
      'bodyTooLarge',
    ],
    [
      'a broken escape in the path',
      { url: '/api/v1/public/investments/%E0%A4%A' },
      400,
      'validation',
    ],
    [
      'a very long path',
      { url: `/api/v1/public/investments/${'a'.repeat(5_000)}` },
      400,
      'validation',
    ],
  ])('%s', async (_, options, status, code) => {
    const response = await product.app.inject(options)
    expect(response.headers['content-type']).toMatch(/^application\/json/)
    expect([response.statusCode, response.json()]).toEqual([
      status,
      {
        successful: false,
        narration: expect.stringMatching(/^[A-Z].+/),
        body: expect.objectContaining({ code }),
      },
    ])
  })
})

test('a database failure is logged and answered without details', async () => {
  const broken = await startProduct()
  const logged: string[] = []
  const destination = { write: (line: string) => void logged.push(line) }
  const app = await buildApp(broken.context, openLog('error', destination))
  const { token, id } = await person(broken)
  await broken.database.superuser.query('ALTER TABLE idempotency_keys RENAME TO gone')
  const answer = await app.inject({
    method: deposit.method,
    url: deposit.path,
    headers: { authorization: `Bearer ${token}` },
    payload: { userId: id, amount: 20 },
  })
  expect([answer.statusCode, answer.json()]).toEqual([
    500,
    { successful: false, narration: messageForStatus(500), body: { code: 'internal' } },
  ])
  expect(logged.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      code: 'internal',
      err: expect.objectContaining({
        message: expect.stringContaining('relation "idempotency_keys" does not exist'),
      }),
    }),
  ])
  await app.close()
  await broken.close()
})

test('health is true only while the database answers', async () => {
  const dying = await startProduct()
  const ask = () => dying.app.inject({ url: '/api/v1/health' })
  expect([(await ask()).statusCode, (await ask()).json().body]).toEqual([200, { database: 'up' }])
  await dying.database.pool.end()
  expect([(await ask()).statusCode, (await ask()).json().successful]).toEqual([503, false])
  await dying.app.close()
})

test('the OpenAPI text describes every call', async () => {
  const response = await product.app.inject({ url: '/api/docs/json' })
  const { openapi, paths } = response.json()
  expect(openapi).toBe('3.1.0')
  expect(Object.keys(paths)).toContain('/api/v1/public/investments/{userId}')
  expect(Object.keys(paths)).toContain('/api/v1/public/wallets/{id}/archive')
  expect(paths[deposit.path].post.requestBody.content['application/json'].schema.required).toEqual([
    'userId',
    'amount',
  ])
  const { parameters, responses } = paths[listTransactions.path].get
  expect(
    parameters.map(({ name, required = false }: { name: string; required?: boolean }) => [
      name,
      required,
    ]),
  ).toEqual(
    ['limit', 'cursor', 'order', 'search', 'from', 'to', 'sort', 'status', 'type']
      .concat('network', 'amountFrom', 'amountTo', 'ids', 'userId', 'mayLag')
      .map((name) => [name, false]),
  )
  expect(Object.keys(responses[200].content['application/json'].schema.properties)).toContain(
    'page',
  )
  // Only calls without a token have no security.
  expect([paths[deposit.path].post.security, paths[login.path].post.security]).toEqual([
    [{ bearer: [] }],
    undefined,
  ])
})

test('the OpenAPI text and page can be switched off', async () => {
  const statuses = async ({ app }: Product) =>
    Promise.all(
      ['/api/docs', '/api/docs/json', '/api/docs/yaml'].map(
        async (url) => (await app.inject({ url })).statusCode,
      ),
    )
  expect(await statuses(product)).toEqual([200, 200, 200])
  const closed = await startProduct({ API_DOCS: 'off' }, { pages: true })
  expect(await statuses(closed)).toEqual([404, 404, 404])
  await closed.close()
})

test('every response has security headers and no version', async () => {
  for (const url of ['/api/v1/health', '/api/v1/nothing', '/login']) {
    const { headers } = await product.app.inject({ url })
    expect(headers['content-security-policy']).toMatch(/script-src 'self'/)
    expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe/)
    expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['permissions-policy']).toMatch(
      /camera=\(\).*geolocation=\(\).*microphone=\(\).*payment=\(\)/,
    )
    expect(headers['x-frame-options']).toBeDefined()
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    // Any site may see that the server answers, but nothing more.
    expect(headers['cross-origin-resource-policy']).toBe(
      url === '/api/v1/health' ? 'cross-origin' : 'same-origin',
    )
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['x-powered-by'] ?? headers.server).toBeUndefined()
  }
})

test('other sites may read responses only when allowed', async () => {
  const origin = 'https://elsewhere.example'
  const closed = await product.app.inject({ url: '/api/v1/health', headers: { origin } })
  expect(closed.headers['access-control-allow-origin']).toBeUndefined()
  expect(
    closed.headers['cross-origin-resource-policy'],
    'any site may see that the server answers',
  ).toBe('cross-origin')
  const open = await startProduct({ ALLOWED_ORIGINS: origin })
  expect(
    (await open.app.inject({ url: '/api/v1/health', headers: { origin } })).headers[
      'access-control-allow-origin'
    ],
  ).toBe(origin)
  await open.close()
})
