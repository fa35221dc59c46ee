import type { Access, Endpoint } from '@pool/contract/base/endpoint'
import { endpoints } from '@pool/contract/base/endpoints'
import Fastify from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { openLog } from '../../base/process/log.ts'
import { buildApp } from '../../operator/app.ts'
import { type Person, person, testProduct } from '../../testing/product.ts'
import { requirePolicy } from './route.ts'

// The matrix has each call without a session, and with each role.

const product = testProduct()
let people: Record<Access, Person>

const onePerRole = async (): Promise<Record<Access, Person>> => {
  const investor = await person(product)
  return {
    public: investor,
    user: investor,
    staff: await person(product, ['ADMIN']),
    superAdmin: await person(product, ['SUPER_ADMIN']),
  }
}

beforeAll(async () => {
  people = await onePerRole()
})

const all: readonly Endpoint[] = Object.values(endpoints)
const guarded = all.filter(({ access }) => access !== 'public')

/** Counts the rows of every table that a refused call must leave unchanged. */
const contents = async (): Promise<string> => {
  const tables = [
    'users',
    'user_roles',
    'wallets',
    'transactions',
    'investments',
    'accounts',
    'transfers',
    'contributions',
    'approvals',
    'approval_limits',
    'idempotency_keys',
  ]
  const counts = await Promise.all(
    tables.map((table) =>
      product.database.pool.query<{ rows: number; digest: string }>(
        `SELECT count(*)::int AS rows, coalesce(md5(string_agg(t::text, '' ORDER BY t::text)), '') AS digest FROM ${table} AS t`,
      ),
    ),
  )
  return JSON.stringify(counts.map(({ rows }) => rows))
}

describe('acting for another user', () => {
  const naming = guarded.filter(
    ({ access, payload, params }) =>
      access === 'user' &&
      ('userId' in (params?.shape ?? {}) ||
        (payload && 'shape' in payload && 'userId' in (payload.shape as object))),
  )

  test('is possible in five calls only', () => {
    expect(naming.map(({ path }) => path.split('/').at(-1)).sort()).toEqual([
      'balance',
      'deposit',
      'invest',
      'withdraw',
      '{userId}',
    ])
  })

  test.each(naming)('through $method $path answers 403 and changes nothing', async (endpoint) => {
    const before = await contents()
    const other = people.staff.id
    for (const role of ['user', 'superAdmin'] as const) {
      const answer = await product.call(endpoint, {
        token: people[role].token,
        params: { userId: other },
        ...(endpoint.payload && { payload: { userId: other, amount: 10, durationDays: 1 } }),
      })
      expect(answer).toMatchObject({ status: 403, successful: false, body: { code: 'forbidden' } })
    }
    expect(await contents()).toBe(before)
  })
})

test('the log names refused users by id only', async () => {
  const lines: Record<string, unknown>[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const app = await buildApp(product.context, openLog('info', destination))
  const { id, token, email } = people.user
  const ask = (url: string) => app.inject({ url, headers: { authorization: `Bearer ${token}` } })
  await ask(`${endpoints.listUsers.path}?search=somebody`)
  await ask(`${endpoints.currentUser.path}?username=another@example.com`)
  await ask(`${endpoints.currentUser.path}?username=${email}`)
  await app.close()
  expect(lines.filter(({ msg }) => msg === 'answered')).toMatchObject([
    { status: 403, userId: id, route: endpoints.listUsers.path, right: 'superAdmin' },
    { status: 403, userId: id, route: endpoints.currentUser.path, right: 'user' },
    { status: 200 },
  ])
  expect(lines.at(-1)).not.toHaveProperty('userId')
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${email}|${token}|another@|somebody`))
})

test('the app serves every call of the contract', () => {
  for (const { method, path } of all) {
    expect([
      path,
      product.app.hasRoute({ method, url: path.replace(/\{(\w+)\}/g, ':$1') }),
    ]).toEqual([path, true])
  }
})

test('a route without a policy cannot be added', async () => {
  const app = Fastify()
  app.addHook('onRoute', requirePolicy)
  expect(() => app.get('/api/v1/public/backdoor', async () => 'in')).toThrow(/no policy/)
  expect(() => app.get('/elsewhere', async () => 'fine')).not.toThrow()
})
