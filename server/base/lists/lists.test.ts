import { listUsers } from '@pool/contract/accounts/users'
import type { Endpoint } from '@pool/contract/base/endpoint'
import { listWallets } from '@pool/contract/chain/wallets'
import { listAllInvestments, listInvestments } from '@pool/contract/money/investments'
import {
  listTransactions,
  transactionStatuses,
  transactionTypes,
} from '@pool/contract/requests/transactions'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, person, testProduct } from '../../testing/product.ts'
import { seedLists, seed as seedRows } from '../../testing/tiedRows.ts'

const product = testProduct()
let admin: Person
let investors: Person[]

const seed = (someone: Person, count: number) => seedRows(product, someone, count)

beforeAll(async () => {
  ;({ admin, investors } = await seedLists(product))
})

type Query = Readonly<Record<string, string>>
type ListedRow = { readonly id: string; readonly userId?: string }

const ask = (endpoint: Endpoint, query: Query, { id, token }: Person = admin) =>
  product.call(endpoint, { token, query, params: { userId: id } })
const idsOf = (body: unknown): string[] => (body as ListedRow[]).map(({ id }) => id)
const rowsOf = async (endpoint: Endpoint, query: Query, reader?: Person) =>
  idsOf((await ask(endpoint, query, reader)).body)

/** Reads all pages of a list in turn. `between` runs after each. */
const walk = async (
  endpoint: Endpoint,
  query: Query,
  { reader = admin, between = async () => {} } = {},
): Promise<string[][]> => {
  const pages: string[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    expect(pages.length).toBeLessThan(500)
    const { status, body, page } = await ask(
      endpoint,
      { ...query, ...(cursor && { cursor }) },
      reader,
    )
    expect(status).toBe(200)
    pages.push(idsOf(body))
    cursor = page?.next ?? null
    await between()
  }
  return pages
}

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const some = (values: readonly string[]) =>
  fc.subarray([...values], { minLength: 1 }).map((chosen) => chosen.join(','))
const common = {
  order: fc.constantFrom('asc', 'desc'),
  from: optional(fc.constantFrom('2026-01-31', '2026-01-30T23:59:59.999Z', '2026-02-02')),
  to: optional(fc.constantFrom('2026-01-31', '2026-01-30', '2026-01-31T00:00:00Z')),
}
const search = optional(
  fc
    .nat({ max: 5 })
    .map(
      (index) =>
        [
          investors[0]?.email,
          investors[1]?.email.slice(0, 3).toUpperCase(),
          'destination 1',
          '%',
          'Test P',
          'nobody',
        ][index] ?? '',
    ),
)
const investmentQuery = fc.record({
  ...common,
  search,
  sort: fc.constantFrom('createdAt', 'maturityDate', 'amount', 'interest'),
  status: optional(some(['ACTIVE', 'COMPLETED'])),
})

const lists: [string, Endpoint, fc.Arbitrary<Record<string, string | undefined>>][] = [
  [
    'transactions',
    listTransactions,
    fc.record({
      ...common,
      search,
      sort: fc.constantFrom('createdAt', 'updatedAt', 'amount'),
      status: optional(some(transactionStatuses)),
      type: optional(some(transactionTypes)),
      amountFrom: optional(fc.constantFrom('0', '0.02', '0.03')),
      amountTo: optional(fc.constantFrom('0.03', '9.99')),
      network: optional(some(['Bitcoin', 'Solana'])),
    }),
  ],
  ['all investments', listAllInvestments, investmentQuery],
  ['own investments', listInvestments, investmentQuery],
  [
    'users',
    listUsers,
    fc.record({
      ...common,
      search,
      sort: fc.constantFrom('createdAt', 'name'),
      role: optional(some(['USER', 'SUPER_ADMIN'])),
    }),
  ],
  [
    'wallets',
    listWallets,
    fc.record({
      ...common,
      search: optional(fc.constantFrom('sol', 'ADDRESS-', '_')),
      sort: fc.constant('createdAt'),
      status: optional(fc.constantFrom('assigned', 'available', 'available,assigned')),
      network: optional(fc.constantFrom('Solana', 'Bitcoin,Solana', 'Polygon')),
    }),
  ],
]

const present = (query: Record<string, string | undefined>): Query =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

describe.each(lists)('pages of %s', (_, endpoint, queries) => {
  test('hold exactly the list’s rows in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        queries.map(present),
        fc.integer({ min: 1, max: 50 }),
        fc.nat({ max: 2 }),
        async (query, limit, who) => {
          const reader = endpoint === listInvestments ? investors[who] : admin
          const whole = await rowsOf(endpoint, query, reader)
          const pages = await walk(endpoint, { ...query, limit: String(limit) }, { reader })
          expect(pages.flat()).toEqual(whole)
          expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true)
          expect(await ask(endpoint, { ...query, limit: '0' }, reader)).toMatchObject({
            body: [],
            page: { total: whole.length, next: null },
          })
        },
      ),
      { numRuns: 60 },
    )
  })
})

type Stored = {
  id: string
  user_id: string
  type: string
  status: string
  amount: string
  created: string
  updated: string
  network: string | null
}

test('every sort and filter equals a plain calculation', async () => {
  const exact = (column: string) =>
    `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
  const { rows } = await product.database.pool.query<Stored>(
    `SELECT id, user_id, type, status, lpad(amount::text, 20, '0') AS amount, ${exact('created_at')} AS created, ${exact('updated_at')} AS updated,
       CASE type WHEN 'deposit' THEN 'Bitcoin' ELSE sent_network END AS network FROM transactions`,
  )
  const columns = { createdAt: 'created', updatedAt: 'updated', amount: 'amount' } as const
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('createdAt' as const, 'updatedAt' as const, 'amount' as const),
      common.order,
      optional(fc.subarray([...transactionStatuses], { minLength: 1 })),
      optional(fc.subarray([...transactionTypes], { minLength: 1 })),
      fc.boolean(),
      optional(fc.integer({ min: 1, max: 5 })),
      optional(fc.integer({ min: 1, max: 5 })),
      optional(fc.constantFrom('Bitcoin', 'Solana')),
      async (sort, order, status, type, onDay, least, most, network) => {
        const key = (row: Stored): string => `${row[columns[sort]]} ${row.id}`
        const expected = rows
          .filter((row) => !status || (status as string[]).includes(row.status))
          .filter((row) => !type || (type as string[]).includes(row.type))
          .filter((row) => !onDay || row.created.startsWith('2026-01-31'))
          .filter((row) => Number(row.amount) >= (least ?? 0))
          .filter((row) => Number(row.amount) <= (most ?? Number.POSITIVE_INFINITY))
          .filter((row) => !network || row.network === network)
          .sort((a, b) => (key(a) < key(b) ? -1 : 1) * (order === 'asc' ? 1 : -1))
        const day = onDay ? '2026-01-31' : undefined
        const query = present({
          sort,
          order,
          status: status?.join(),
          type: type?.join(),
          from: day,
          to: day,
          amountFrom: least === undefined ? undefined : `0.0${least}`,
          amountTo: most === undefined ? undefined : `0.0${most}`,
          network,
        })
        expect(await rowsOf(listTransactions, query)).toEqual(expected.map(({ id }) => id))
      },
    ),
    { numRuns: 60 },
  )
})

test('new rows neither hide nor repeat others', async () => {
  const someone = await person(product)
  await seed(someone, 30)
  for (const sort of ['createdAt', 'amount']) {
    for (const order of ['asc', 'desc']) {
      let arriving = 6
      const before = await rowsOf(listTransactions, { sort, order }, someone)
      const walked = (
        await walk(
          listTransactions,
          { sort, order, limit: '4' },
          { reader: someone, between: () => seed(someone, arriving-- > 0 ? 3 : 0) },
        )
      ).flat()
      expect(walked.filter((id) => before.includes(id))).toEqual(before)
      expect(new Set(walked).size).toBe(walked.length)
    }
  }
})

test('an investor gets only their own rows', async () => {
  const [me, other] = investors as [Person, Person]
  const [theirs = ''] = await rowsOf(listTransactions, {}, other)
  const { next } = (await ask(listTransactions, { limit: '3', search: other.email })).page ?? {}
  const tricks: Query[] = [
    { search: other.email },
    { search: theirs },
    { search: other.id },
    { cursor: next ?? '' },
  ]
  expect((await ask(listTransactions, { userId: other.id }, me)).status).toBe(403)
  const queries = fc.oneof(
    fc.constantFrom(...tricks),
    (lists[0]?.[2] ?? fc.constant({})).map(present),
  )
  await fc.assert(
    fc.asyncProperty(queries, fc.integer({ min: 0, max: 50 }), async (query, limit) => {
      const { status, body, page } = await ask(
        listTransactions,
        { ...query, limit: String(limit) },
        me,
      )
      expect([status, (body as ListedRow[]).filter(({ userId }) => userId !== me.id)]).toEqual([
        200,
        [],
      ])
      expect(page?.total).toBeLessThanOrEqual(40)
      const investments = await ask(
        listInvestments,
        present({ search: query.search, limit: String(limit) }),
        me,
      )
      expect((investments.body as ListedRow[]).filter(({ userId }) => userId !== me.id)).toEqual([])
    }),
    { numRuns: 80 },
  )
  expect(await ask(listTransactions, { search: other.email, limit: '5' }, me)).toMatchObject({
    body: [],
    page: { total: 0 },
  })
})

test('a call without options answers the whole list', async () => {
  for (const [, endpoint] of lists) {
    const answer = await ask(endpoint, {})
    expect(answer).toMatchObject({ status: 200, successful: true, narration: 'OK' })
    expect(Object.keys(answer)).not.toContain('page')
    expect(idsOf(answer.body)).toEqual(
      await rowsOf(endpoint, { sort: 'createdAt', order: 'desc', unknown: 'parameter' }),
    )
  }
})

test('broad and narrow searches find the same rows', async () => {
  await product.database.superuser.query(
    `INSERT INTO users (id, username, password_hash, first_name, last_name, country, created_at)
     SELECT gen_random_uuid(), 'crowd' || n || '@example.com', '', 'One', 'Of many', 'US', '2020-01-01' FROM generate_series(1, 300) AS n`,
  )
  const everybody = { search: '@example.com', sort: 'amount' }
  for (const endpoint of [listTransactions, listAllInvestments]) {
    const whole = await rowsOf(endpoint, { sort: 'amount' })
    expect(await rowsOf(endpoint, everybody)).toEqual(whole)
    expect((await walk(endpoint, { ...everybody, limit: '30' })).flat()).toEqual(whole)
    expect(await rowsOf(endpoint, { search: 'crowd' })).toEqual([])
  }
  const [me] = investors as [Person]
  expect(await rowsOf(listTransactions, everybody, me)).toEqual(
    await rowsOf(listTransactions, { sort: 'amount' }, me),
  )
})

test('ids find these rows, an investor their own', async () => {
  const [own, other] = investors as [Person, Person]
  const ids = [
    ...(await rowsOf(listTransactions, { limit: '2' }, own)),
    ...(await rowsOf(listTransactions, { limit: '1' }, other)),
  ]
  const query = { ids: ids.join(','), limit: '10' }
  expect((await rowsOf(listTransactions, query)).toSorted()).toEqual(ids.toSorted())
  expect((await ask(listTransactions, query)).page?.total).toBe(3)
  expect((await rowsOf(listTransactions, query, own)).toSorted()).toEqual(
    ids.slice(0, 2).toSorted(),
  )
})
