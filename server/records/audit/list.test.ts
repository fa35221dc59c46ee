import {
  type AuditEntry,
  auditActionNames,
  auditActionsFor,
  listAudit,
} from '@pool/contract/reports/audit'
import { beforeAll, describe, expect, test } from 'vitest'
import { pause } from '../../money/brakes/pauses.ts'
import { type Person, person, testProduct } from '../../testing/product.ts'
import { record } from './record.ts'
import { auditHead, sealAudit } from './seal.ts'

const product = testProduct()
let admin: Person
let superAdmin: Person
let investor: Person
beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
  superAdmin = await person(product, ['SUPER_ADMIN'])
  investor = await person(product)
  for (let number = 0; number < 25; number += 1) {
    const by = { id: admin.id, name: admin.email, from: '203.0.113.7' }
    await record(product.context.db, product.context.keys, {
      by,
      action: 'wallet.added',
      subject: { type: 'wallet', id: `wallet-${number}` },
    })
  }
  await record(product.context.db, product.context.keys, {
    by: { name: 'percent%_@example.com', from: '203.0.113.8' },
    action: 'session.refused',
    subject: { type: 'user', id: investor.id },
    ownerId: investor.id,
  })
  await pause(product.context, {
    name: 'investing',
    by: { name: 'tests', from: 'tests' },
    reason: 'A drill',
  })
})

const ask = (query: Record<string, string>, { token } = superAdmin) =>
  product.call(listAudit, { token, query })
const subjects = ({ body }: { body: unknown }) =>
  (body as AuditEntry[]).map(({ subjectId }) => subjectId)

test('pages neither skip nor repeat entries while some arrive', async () => {
  const met: string[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < 10; pages += 1) {
    const answer = await ask({
      action: 'wallet.added',
      limit: '10',
      ...(cursor !== undefined && { cursor }),
    })
    met.push(...subjects(answer))
    expect(answer.page?.total).toBe(25 + pages)
    await record(product.context.db, product.context.keys, {
      by: { name: 'late', from: 'tests' },
      action: 'wallet.added',
      subject: { type: 'wallet', id: 'late' },
    })
    cursor = answer.page?.next ?? undefined
    if (cursor === undefined) break
  }
  expect(met).toEqual(Array.from({ length: 25 }, (_, number) => `wallet-${24 - number}`))
})

test('a cursor of another list is refused', async () => {
  const cursor = Buffer.from(
    JSON.stringify(['createdAt', 'desc', '2026-01-01T00:00:00.000000Z', crypto.randomUUID()]),
  ).toString('base64url')
  expect(await ask({ limit: '5', cursor })).toMatchObject({
    status: 400,
    body: { field: 'cursor' },
  })
})

test.each([
  ['the beginning of an email', () => admin.email.slice(0, 20), 26],
  ['the id of who did it', () => admin.id, 26],
  ['the email of whom it concerns', () => investor.email, 2],
  ['the id of whom it concerns', () => investor.id, 2],
  ['what it is about', () => 'wallet-7', 1],
  ['what may mean everything elsewhere', () => 'percent%_', 1],
  ['what is nowhere', () => '%', 0],
])('a search finds entries by %s', async (_, search, count) => {
  const found = (await ask({ search: search() })).body
  const written = found.filter(({ subjectId }) => subjectId !== 'late')
  expect(written).toHaveLength(count)
})

test('entries are filtered by action and by day', async () => {
  const refused = (await ask({ action: 'session.refused,role.granted' })).body
  expect(refused.map(({ action }) => action)).toEqual(['session.refused'])
  expect((await ask({ from: '2099-01-01' })).body).toEqual([])
  expect((await ask({ to: '2020-01-01' })).body).toEqual([])
  expect((await ask({ action: 'money.printed' })).status).toBe(400)
})

test('an entry carries its place in the chain', async () => {
  await sealAudit(product.context)
  const head = await auditHead(product.context.db)
  const entries = (await ask({})).body
  expect(
    entries.every(({ position, hash }) => position !== null && /^[0-9a-f]{64}$/.test(hash ?? '')),
  ).toBe(true)
  expect(entries.find(({ position }) => position === Number(head?.position))?.hash).toBe(head?.hash)
})

describe('an admin', () => {
  const read = async (query: Record<string, string>) => {
    const { body, page } = await ask(query, admin)
    return { entries: body, total: page?.total }
  }

  test('reads all entries except those about accounts', async () => {
    const { entries, total } = await read({ limit: '1000' })
    expect(new Set(entries.map(({ action }) => action))).toEqual(
      new Set(['wallet.added', 'capital.contributed', 'switch.paused']),
    )
    expect(entries).toHaveLength(total ?? 0)
    expect((await read({})).entries).toEqual(entries)
    const everything = (await ask({ limit: '1000' })).body
    expect(everything.filter(({ subjectType }) => subjectType !== 'user')).toEqual(entries)
    expect(everything.length).toBeGreaterThan(entries.length)
  })

  test.each(auditActionNames)('learns of %s as their role may', async (action) => {
    const isReadable = auditActionsFor('admin').includes(action)
    const [own, all] = [
      await read({ action, limit: '100' }),
      (await ask({ action, limit: '100' })).page?.total,
    ]
    expect([own.entries.length, own.total]).toEqual(isReadable ? [all, all] : [0, 0])
  })

  test.each([
    ['beginning of an email', () => 'percent'],
    ['email', () => investor.email],
    ['id', () => investor.id],
  ])('finds no account by its %s', async (_, search) => {
    expect((await ask({ search: search() })).body).not.toEqual([])
    expect(await read({ search: search(), limit: '10' })).toEqual({ entries: [], total: 0 })
  })

  test('counts no entry about accounts within days', async () => {
    const to = new Date(Date.now() + 3_600_000).toISOString()
    for (const span of [{ from: '2020-01-01' }, { from: '2020-01-01T00:00:00Z', to }]) {
      const { entries, total } = await read({ ...span, limit: '1000' })
      expect(entries).toHaveLength(total ?? 0)
      expect(entries.some(({ subjectType }) => subjectType === 'user')).toBe(false)
    }
  })
})

test('agreements are found by kind as their reader may', async () => {
  for (const [kind, type] of [
    ['GRANT', 'user'],
    ['APPROVE_LOAN', 'loan'],
  ] as const)
    await record(product.context.db, product.context.keys, {
      by: { name: 'tests', from: 'tests' },
      action: 'agreement.asked',
      subject: { type, id: kind },
      after: { kind },
    })
  const found = async (query: Record<string, string>, by = superAdmin) => {
    const answer = await ask({ limit: '5', ...query }, by)
    return [subjects(answer), answer.page?.total]
  }
  expect(await found({ agreement: 'GRANT' })).toEqual([['GRANT'], 1])
  expect(await found({ agreement: 'GRANT' }, admin)).toEqual([[], 0])
  expect(await found({ action: 'agreement.asked' })).toEqual([['APPROVE_LOAN', 'GRANT'], 2])
  expect(await found({ action: 'agreement.asked' }, admin)).toEqual([['APPROVE_LOAN'], 1])
  expect(await found({ action: 'agreement.approved', agreement: 'GRANT' })).toEqual([[], 0])
})
