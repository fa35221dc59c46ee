import { listUsers } from '@pool/contract/accounts/users'
import type { Endpoint } from '@pool/contract/base/endpoint'
import { listWallets } from '@pool/contract/chain/wallets'
import { listTransactions } from '@pool/contract/requests/transactions'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, person, testProduct, wallets } from '../../testing/product.ts'
import { seedLists } from '../../testing/tiedRows.ts'

const product = testProduct()
let admin: Person

beforeAll(async () => {
  ;({ admin } = await seedLists(product))
})

type Query = Readonly<Record<string, string>>
type FoundRow = { readonly id: string; readonly userId?: string }

const ask = (endpoint: Endpoint, query: Query, { id, token }: Person = admin) =>
  product.call(endpoint, { token, query, params: { userId: id } })
const idsOf = (body: unknown): string[] => (body as FoundRow[]).map(({ id }) => id)
const rowsOf = async (endpoint: Endpoint, query: Query, reader?: Person) =>
  idsOf((await ask(endpoint, query, reader)).body)

describe('a search finds', () => {
  const total = async (endpoint: Endpoint, search: string) =>
    (await ask(endpoint, { search, limit: '0' })).page?.total

  test('rows by id and address in any case', async () => {
    const [row = ''] = await rowsOf(listTransactions, { limit: '1' })
    expect(await total(listTransactions, row)).toBe(1)
    const [address = ''] = await wallets(product, 1)
    expect(await total(listWallets, address.slice(3, 20).toUpperCase())).toBe(1)
    expect(await total(listTransactions, address)).toBe(0)
    const { rows } = await product.database.superuser.query(
      'SELECT address, owner_id FROM wallets WHERE owner_id IS NOT NULL LIMIT 1',
    )
    const { body } = await ask(listTransactions, {
      search: rows[0].address.toUpperCase(),
      limit: '100',
    })
    expect(
      (body as { userId: string; type: string }[]).map(
        ({ userId, type }) => `${type} of ${userId}`,
      ),
    ).toEqual(
      Array.from({ length: (body as FoundRow[]).length }, () => `deposit of ${rows[0].owner_id}`),
    )
    expect((body as FoundRow[]).length).toBeGreaterThan(5)
    expect(await total(listTransactions, 'DESTINATION 1')).toBeGreaterThan(5)
    expect(await total(listTransactions, 'DESTINATION')).toBe(0)
  })

  test.each([
    ['ÁLVARO', 1],
    ['émile', 2],
    ['e\u0301mile', 2],
    ['ａｎａ\u3000１００%', 1],
    ['ana 100%', 1],
    ['Ana_100', 1],
    ['100%', 1],
    ['\\', 0],
    ["'", 0],
  ])('users named %s: %i', async (search, count) => {
    expect(await total(listUsers, search)).toBe(count)
  })

  test('a name that was stored with accents of their own', async () => {
    const { id } = await person(product)
    await product.database.superuser.query('UPDATE users SET last_name = $1 WHERE id = $2', [
      'Nun\u0303ez',
      id,
    ])
    expect([
      await total(listUsers, 'N\u00fa\u00f1ez'),
      await total(listUsers, 'nu\u00f1ez'),
    ]).toEqual([0, 1])
    expect(await rowsOf(listUsers, { search: 'nun\u0303ez' })).toEqual([id])
  })

  test('all rows when it is blank', async () => {
    expect(await total(listUsers, '  ')).toBe((await rowsOf(listUsers, {})).length)
  })
})

test('users sort by name with accents in place', async () => {
  const { body } = await ask(listUsers, {
    sort: 'name',
    order: 'asc',
    from: '2026-01-31',
    to: '2026-01-31',
  })
  const names = (body as { detail: { firstName: string } }[]).map(({ detail }) => detail.firstName)
  expect(names.filter((name) => !name.includes('100'))).toEqual([
    'alba',
    'Álvaro',
    'emil',
    'Émile',
    'Émile',
    'Zoë',
  ])
})
