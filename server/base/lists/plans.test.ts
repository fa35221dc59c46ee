import { MOST_SORTED } from '@pool/contract/base/sorting'
import { walletStatuses } from '@pool/contract/chain/wallets'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listUsers } from '../../accounts/users/queries.ts'
import { listWallets } from '../../chain/wallets/queries.ts'
import { totalAvailable } from '../../ledger/families/accounts.ts'
import { listAllInvestments } from '../../money/investments/queries.ts'
import { listAudit } from '../../records/audit/queries.ts'
import { readPoolFigures } from '../../reports/figures/pool.ts'
import { readAdminFigures } from '../../reports/figures/queries.ts'
import { listTransactions } from '../../requests/transactions/queries.ts'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { explaining } from '../../testing/plans.ts'
import { readConfig } from '../configuration/config.ts'
import type { Schema } from '../db/schema.ts'

const USERS = 30_000
const ROWS = 60_000
/** Most rows that a page of 50 may read from a table. */
const MOST_READ = 400

let database: TestDatabase
let db: Kysely<Schema>
let rowsRead: ReturnType<typeof explaining>['rowsRead']

const id = (part: string, n: string): string =>
  `('00000000-0000-4000-${part}-' || lpad(to_hex(${n}), 12, '0'))::uuid`
/**
 * A year with rare states: 1 in 200 pending, 1 in 30 refused or expired, 1 in 25 investments
 * active, 1 in 500 wallets archived, and 1 in 200 audit entries not about an account.
 */
const YEAR = `
  SET session_replication_role = replica;
  INSERT INTO users (id, username, password_hash, first_name, last_name, country, created_at)
  SELECT ${id('8000', 'n')}, 'user' || n || '@example.com', 'x', 'First' || n % 97, 'Last' || n, 'US', now() - n * interval '15 minutes' FROM generate_series(1, ${USERS}) AS n;
  INSERT INTO user_roles (user_id, role) SELECT id, 'USER' FROM users;
  INSERT INTO wallets (id, address, network_name, owner_id, created_at, archived_at)
  SELECT ${id('9000', 'n')}, 'address' || n, CASE WHEN n % 50 = 0 THEN 'Solana' ELSE 'Bitcoin' END, ${id('8000', 'n')}, now() - n * interval '15 minutes', CASE WHEN n % 500 = 0 THEN now() END FROM generate_series(1, ${USERS}) AS n;
  INSERT INTO transactions (id, user_id, type, amount, status, wallet_id, destination_address, rate_basis_points, interest, duration_days, matures_at, investment_status, created_at, updated_at)
  SELECT ${id('b000', 'n')}, ${id('8000', `1 + n * 7 % ${USERS}`)}, type, 500 + n,
    CASE WHEN type = 'investment' THEN 'COMPLETED' WHEN n % 200 = 0 THEN 'PENDING' WHEN n % 30 = 0 THEN CASE type WHEN 'deposit' THEN 'EXPIRED' ELSE 'REJECTED' END ELSE 'APPROVED' END,
    CASE type WHEN 'deposit' THEN ${id('9000', `1 + n * 7 % ${USERS}`)} END, CASE type WHEN 'withdrawal' THEN 'destination' || n ELSE '' END, 
    CASE type WHEN 'investment' THEN 500 END, CASE type WHEN 'investment' THEN 25 END, CASE type WHEN 'investment' THEN 12 END,
    CASE type WHEN 'investment' THEN at + interval '12 days' END, CASE WHEN type <> 'investment' THEN NULL WHEN n > ${ROWS} * 0.96 THEN 'ACTIVE' ELSE 'COMPLETED' END, at, at
  FROM (
    SELECT n, CASE WHEN n % 2 = 1 THEN 'investment' WHEN n % 4 = 0 THEN 'deposit' ELSE 'withdrawal' END AS type, now() - (${ROWS} - n) * interval '8 minutes' AS at
    FROM generate_series(1, ${ROWS}) AS n
  ) AS made;
  INSERT INTO audit_entries (created_at, actor, action, subject_type, subject_id, source, nonce, mac)
  SELECT now() - (${ROWS} - n) * interval '8 minutes', 'user' || n, CASE WHEN n % 200 = 0 THEN 'wallet.added' ELSE 'session.started' END,
    CASE WHEN n % 200 = 0 THEN 'wallet' ELSE 'user' END, n::text, '203.0.113.7', gen_random_uuid(), 'made up' FROM generate_series(1, ${ROWS}) AS n;
  RESET session_replication_role;
  SELECT recount_tallies();
  ANALYZE`

beforeAll(async () => {
  database = await testDatabase()
  ;({ db, rowsRead } = explaining(database))
  await database.superuser.query(YEAR)
})
afterAll(() => database.close())

const page = { sort: 'createdAt', order: 'desc', limit: 50 } as const
const ago = (days: number): Date => new Date(Date.now() - days * 86_400_000)
const midnight = (days: number): Date =>
  new Date(Math.floor(ago(days).getTime() / 86_400_000) * 86_400_000)
const ONE = '00000000-0000-4000-8000-000000000010'

const transactions =
  (request: object, userId?: string): (() => Promise<unknown>) =>
  () =>
    listTransactions({ config: readConfig({}), db }, { userId, request: { ...page, ...request } })
const investments = (request: object) => () => listAllInvestments(db, { ...page, ...request })

test.each<[string, () => Promise<unknown>]>([
  ['transactions', transactions({})],
  ['transactions, oldest first', transactions({ order: 'asc' })],
  ...['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED', 'COMPLETED', 'PROCESSING'].map(
    (status): [string, () => Promise<unknown>] => [
      `transactions ${status}`,
      transactions({ status: [status] }),
    ],
  ),
  ...['deposit', 'withdrawal', 'investment', 'payout'].map(
    (type): [string, () => Promise<unknown>] => [
      `transactions of type ${type}`,
      transactions({ type: [type] }),
    ],
  ),
  ['pending withdrawals', transactions({ type: ['withdrawal'], status: ['PENDING'] })],
  ['rejected withdrawals', transactions({ type: ['withdrawal'], status: ['REJECTED'] })],
  [
    'rejected deposits, which do not exist',
    transactions({ type: ['deposit'], status: ['REJECTED'] }),
  ],
  ['transactions of whole days', transactions({ from: midnight(37), to: midnight(7) })],
  ['transactions between two moments', transactions({ from: ago(37.3), to: ago(7.2) })],
  ["one user's transactions", transactions({}, ONE)],
  ["one user's pending transactions", transactions({ status: ['PENDING'] }, ONE)],
  ['investments', investments({})],
  ['active investments', investments({ status: ['ACTIVE'] })],
  ['completed investments', investments({ status: ['COMPLETED'] })],
  ['pending investments, which do not exist', investments({ status: ['PENDING'] })],
  ['users', () => listUsers(db, page)],
  ['users by name', () => listUsers(db, { ...page, sort: 'name', order: 'asc' })],
  ['wallets', () => listWallets(db, page)],
  ['assigned wallets', () => listWallets(db, { ...page, status: ['assigned'] })],
  ['archived wallets', () => listWallets(db, { ...page, status: ['archived'] })],
  ['wallets of every status', () => listWallets(db, { ...page, status: [...walletStatuses] })],
  [
    'available wallets, which do not exist',
    () => listWallets(db, { ...page, status: ['available'] }),
  ],
  ['audit entries', () => listAudit(db, { reader: 'SUPER_ADMIN', request: page })],
  ['audit entries for admins', () => listAudit(db, { reader: 'admin', request: page })],
  [
    'audit entries of an action',
    () => listAudit(db, { reader: 'admin', request: { ...page, action: ['wallet.added'] } }),
  ],
  [
    'audit entries for super admins only',
    () => listAudit(db, { reader: 'admin', request: { ...page, action: ['session.started'] } }),
  ],
  ['wallets of a network', () => listWallets(db, { ...page, network: ['Solana'] })],
])('the newest 50 %s are read without a table scan', async (_, read) => {
  for (const [table, count] of Object.entries(await rowsRead(read)))
    expect([table, count]).toEqual([
      table,
      table === 'tallies'
        ? expect.any(Number)
        : expect.toSatisfy((rows: number) => rows <= MOST_READ),
    ])
})

test.each([
  ['amount', { amountFrom: 600 }],
  ['network', { network: ['Solana'] }],
])('a filter by %s reads the list without it', async (_, filter) => {
  const { transactions: read } = await rowsRead(transactions({ status: ['PENDING'], ...filter }))
  // Three times: the bound, the count and the page.
  expect(read).toBe(3 * (ROWS / 200))
  expect((await rowsRead(transactions(filter, ONE))).transactions).toBeLessThan(MOST_READ)
})

test('flags of pending requests are read without a scan', async () => {
  const read = await rowsRead(() =>
    listTransactions(
      { config: readConfig({}), db },
      {
        approverId: ONE,
        request: { ...page, status: ['PENDING'], type: ['deposit', 'withdrawal'] },
      },
    ),
  )
  for (const table of ['transactions', 'wallets', 'payout_addresses'])
    expect([table, (read[table] ?? 0) < 2 * MOST_READ]).toEqual([table, true])
})

test.each([
  ['an id', '00000000-0000-4000-b000-000000000100'],
  ['a name', 'Last777'],
  ['an address', 'destination6'],
  ['a wallet', 'address77'],
])('a search for %s reads the transactions that it finds', async (_, search) => {
  expect((await rowsRead(transactions({ search }))).transactions).toBeLessThan(2 * MOST_READ)
})

test('figures and stat cards read only tallies', async () => {
  const figures = await rowsRead(async () => [
    await readAdminFigures(db),
    await totalAvailable(db),
    await readPoolFigures(db),
  ])
  expect(Object.keys(figures).sort()).toEqual(['accounts', 'tallies'])
  // The pool's own, three times.
  expect(figures.accounts).toBeLessThan(40)
  // Rows of the figures' days, not of all days with tallies.
  expect(figures.tallies).toBeLessThan(1_000)
})

test('a longer list is ordered and filtered by indexes alone', async () => {
  const byAmount = { sort: 'amount', order: 'desc', limit: 50 } as const
  const byAge = { sort: 'createdAt', order: 'desc', limit: 50 } as const
  const page = async (request: object) => {
    const found = await listTransactions(
      { config: readConfig({}), db },
      { request: { ...byAmount, ...request } },
    )
    return 'rows' in found ? found.rows.map(({ amount }) => amount) : []
  }
  const [first = 0, second = 0] = await page({})
  expect([first, second]).toEqual([605, 604.99])
  await database.superuser.query(`
    SET session_replication_role = replica;
    INSERT INTO transactions (id, user_id, type, amount, status, created_at, updated_at)
    SELECT gen_random_uuid(), ${id('8000', '1')}, 'withdrawal', 1, 'PENDING', now(), now() FROM generate_series(1, ${MOST_SORTED - ROWS + 1});
    RESET session_replication_role`)
  await expect(page({})).rejects.toMatchObject({ code: 'validation', field: 'sort' })
  expect((await page({ to: ago(1) }))[0]).toBeGreaterThan(600)
  for (const filter of [{ amountFrom: 600 }, { amountTo: 2 }, { network: ['Solana'] }])
    await expect(page({ ...byAge, ...filter })).rejects.toMatchObject({
      code: 'validation',
      field: Object.keys(filter)[0],
    })
  expect(await page({ ...byAge, amountFrom: 600, to: ago(1) })).toHaveLength(50)
})
