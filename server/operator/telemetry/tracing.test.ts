import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { login, register } from '@pool/contract/accounts/users'
import { readiness } from '@pool/contract/base/health'
import { invest } from '@pool/contract/money/investments'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { dataDirectory } from '../../testing/process.ts'

type Value = { readonly stringValue?: string; readonly intValue?: number | string }
type Span = {
  readonly name: string
  readonly kind: number
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
}

/** A trace collector that stores the bodies it receives. */
const openCollector = async () => {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => {
      body += part.toString()
    })
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(body)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const spans = (): Span[] =>
    bodies.flatMap((body) =>
      (JSON.parse(body).resourceSpans as { scopeSpans: { spans: Span[] }[] }[]).flatMap(
        ({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans),
      ),
    )
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => bodies.join('\n'),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

let collector: Awaited<ReturnType<typeof openCollector>>
const directory = dataDirectory(inject('preparedData'))
beforeEach(async () => {
  collector = await openCollector()
})
afterEach(async () => {
  await directory.remove()
  await collector.close()
})

const attribute = ({ attributes }: Span, key: string): string | undefined => {
  const value = attributes.find((each) => each.key === key)?.value
  return value && String(value.stringValue ?? value.intValue)
}

test('requests and queries become spans without personal data', async () => {
  const product = await directory.start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_SERVICE_NAME: 'pool-one',
    LOG_LEVEL: 'warn',
  })
  const email = 'ada.lovelace@example.com'
  const post = async (path: string, payload: object, token?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const response = await fetch(product.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(payload),
    })
    return ((await response.json()) as { body: { token: string; userId: string } }).body
  }
  const password = 'a very quiet password'
  await post(register.path, {
    username: email,
    password,
    country: 'US',
    detail: { firstName: 'Adaline', lastName: 'Byronette', email },
  })
  const { token, userId } = await post(login.path, { username: email, password })
  await post(invest.path, { userId, amount: 4321.09, durationDays: 12 }, token)
  await fetch(`${product.url}/api/v1/public/investments/${userId}?search=${token}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await fetch(product.url + readiness.path)
  expect(await product.end('SIGTERM')).toBe(0)

  const spans = collector.spans()
  const of = (name: string) => spans.filter((span) => span.name === name)
  const [invested] = of(`POST ${invest.path}`)
  if (!invested) throw new Error('the investment has no span')
  expect([
    attribute(invested, 'http.route'),
    attribute(invested, 'http.response.status_code'),
  ]).toEqual([invest.path, '409'])
  expect(of('GET /api/v1/public/investments/:userId')).toHaveLength(1)
  const within = spans
    .filter(({ parentSpanId }) => parentSpanId === invested.spanId)
    .map(({ name }) => name)
  expect(within).toContain('SELECT accounts')
  expect(within.length, 'the session is looked up, too').toBeGreaterThan(1)
  expect(collector.text()).toContain('pool-one')
  for (const secret of [
    email,
    password,
    token,
    userId,
    'Adaline',
    'Byronette',
    '4321.09',
    '"432109"',
  ])
    expect(collector.text()).not.toContain(secret)
})
