import { listUsers } from '@pool/contract/accounts/users'
import type { Endpoint } from '@pool/contract/base/endpoint'
import { endpoints } from '@pool/contract/base/endpoints'
import { AS_OF_HEADER } from '@pool/contract/base/lists'
import { listWallets } from '@pool/contract/chain/wallets'
import { listBorrowers } from '@pool/contract/lending/borrowers'
import { listLoans } from '@pool/contract/lending/loans'
import { listAllInvestments, listInvestments } from '@pool/contract/money/investments'
import { listAudit } from '@pool/contract/reports/audit'
import { readTimeline } from '@pool/contract/reports/timeline'
import { listTransactions } from '@pool/contract/requests/transactions'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { openMetrics } from '../../operator/telemetry/metrics.ts'
import { type Person, type Product, person, startProduct } from '../../testing/product.ts'
import { type Standby, startReplication } from '../../testing/standby.ts'
import { eventually } from '../../testing/streams.ts'
import { openReplica, type Replica } from '../db/replica.ts'
import { type Log, openLog } from '../process/log.ts'
import { endSessionsOf } from '../sessions/sessions.ts'

/** More than one batch, so that whole lists are streamed. */
const ROWS = 1_200

let product: Product
let standby: Standby
let replica: Replica
let admin: Person
let investor: Person
const logged: string[] = []
const log = Object.assign(openLog('silent'), {
  warn: (_: unknown, text: string) => logged.push(text),
}) as Log

beforeAll(async () => {
  const replication = await startReplication(inject('preparedData'))
  standby = replication.standby
  product = await startProduct(
    {},
    {
      database: replication.database,
      replica: (database) => openReplica(standby.url, database, log),
    },
  )
  replica = product.context.replica as Replica
  admin = await person(product, ['SUPER_ADMIN'])
  investor = await person(product)
  await fill()
  await replica.watch()
})
afterEach(async () => {
  const { rows } = await standby.superuser.query('SELECT pg_is_in_recovery() AS "isStandby"')
  if (rows[0].isStandby) await standby.superuser.query('SELECT pg_wal_replay_resume()')
})
afterAll(async () => {
  await replica.close()
  await product.close()
})

const fill = async () => {
  const { superuser } = product.database
  for (const statement of [
    `INSERT INTO transactions (id, user_id, type, status, amount, rate_basis_points, interest, duration_days, investment_status, matures_at, created_at, updated_at)
    SELECT gen_random_uuid(), $1, 'investment', 'COMPLETED', 500 + n, 500, 25, 5, 'ACTIVE', now(), '2026-01-01'::timestamptz + n * interval '1 second', now()
    FROM generate_series(1, ${ROWS}) AS n`,
    `INSERT INTO users (id, username, password_hash, first_name, last_name, country)
    SELECT gen_random_uuid(), n || $1::text || '@example.com', 'x', 'A', 'B', 'US' FROM generate_series(1, ${ROWS}) AS n`,
    `INSERT INTO wallets (id, address, network_name)
    SELECT gen_random_uuid(), n || $1::text, 'Bitcoin' FROM generate_series(1, ${ROWS}) AS n`,
    `INSERT INTO audit_entries (actor, action, subject_type, subject_id, owner_id, source, nonce, mac)
    SELECT 'operator', 'session.ended', 'user', n::text, $1::uuid, 'operator', gen_random_uuid(), 'x' FROM generate_series(1, ${ROWS}) AS n`,
    `INSERT INTO borrowers (id, name, country, kind, relation, grade, grade_reason, recorded_by)
    SELECT gen_random_uuid(), 'Ann ' || n, 'DE', 'person', 'none', 'B', 'Salaried', $1 FROM generate_series(1, ${ROWS}) AS n`,
    `INSERT INTO loans (id, borrower_id, purpose, principal, rate_basis_points, schedule, period, day_count, instalments, due_day, disburse_on, first_due_on, recorded_by)
    SELECT gen_random_uuid(), b.id, 'business', 100 * n, 1200, 'annuity', 'weekly', 'act365', 12, 1, '2026-01-01', '2026-01-08', $1
    FROM (SELECT id FROM borrowers LIMIT 1) AS b CROSS JOIN generate_series(1, ${ROWS}) AS n`,
  ])
    await superuser.query(statement, [investor.id])
  await superuser.query('VACUUM ANALYZE')
}

type Query = Readonly<Record<string, string>>

/** An answer with the server that its rows came from. */
const ask = async (endpoint: Endpoint, query: Query = {}, { token, id } = admin) => {
  const before = standby.statements()
  const { headers, statusCode, body } = await product.app.inject({
    method: 'GET',
    url: endpoint.path.replace(/\{\w+\}/, endpoint === readTimeline ? investor.id : id),
    query: { ...query },
    headers: { authorization: `Bearer ${token}` },
  })
  const from = standby.statements() > before ? 'replica' : 'primary'
  return { status: statusCode, headers, asOf: headers[AS_OF_HEADER], from, ...JSON.parse(body) }
}
const replicaAnswers = () =>
  eventually(async () =>
    expect((await ask(listAudit, { limit: '1', mayLag: 'true' })).from).toBe('replica'),
  )
const primaryAnswers = () =>
  eventually(async () => {
    const { from, status } = await ask(listAudit, { limit: '1', mayLag: 'true' })
    expect([status, from]).toEqual([200, 'primary'])
  })

const LAGGING = [
  listTransactions,
  listAllInvestments,
  listUsers,
  listWallets,
  listAudit,
  readTimeline,
  listLoans,
  listBorrowers,
].map((endpoint) => [endpoint.path, endpoint] as const)

test('only these lists may come from the replica', () => {
  const all: readonly Endpoint[] = Object.values(endpoints)
  const marked = all.filter(({ lags }) => lags).map(({ path }) => path)
  expect(marked.sort()).toEqual(LAGGING.map(([path]) => path).sort())
})

test.each(LAGGING)('%s: replica and primary list the same', async (_, endpoint) => {
  await standby.catchUp()
  await replicaAnswers()
  const first = await ask(endpoint, { limit: '100' })
  expect([first.from, first.asOf]).toEqual(['primary', undefined])
  const exported = await ask(endpoint, { limit: '100', mayLag: 'true' })
  expect(exported).toMatchObject({ from: 'replica', body: first.body, page: first.page })

  const whole = await ask(endpoint)
  expect(whole.from).toBe('replica')
  expect(whole.body.length).toBeGreaterThanOrEqual(ROWS)
  expect(whole.body.slice(0, 100)).toEqual(first.body)
  for (const { asOf } of [exported, whole]) {
    const age = Date.now() - Date.parse(String(asOf))
    expect(age).toBeGreaterThanOrEqual(-1_000)
    expect(age).toBeLessThan(10_000)
  }
})

test.each<['replica' | 'primary', string, Endpoint, Query]>([
  ['replica', 'closed transactions', listTransactions, { status: 'REJECTED,EXPIRED,COMPLETED' }],
  ['replica', 'investments as transactions', listTransactions, { type: 'investment,payout' }],
  ['replica', 'confirmed deposits', listTransactions, { type: 'deposit', status: 'APPROVED' }],
  ['primary', 'all transactions', listTransactions, {}],
  ['primary', 'pending requests', listTransactions, { status: 'PENDING' }],
  ['primary', 'approved withdrawals', listTransactions, { type: 'withdrawal', status: 'APPROVED' }],
  ['primary', 'sent withdrawals', listTransactions, { status: 'PROCESSING,COMPLETED' }],
  ['replica', 'investments', listAllInvestments, {}],
  ['replica', 'the audit trail', listAudit, {}],
  ['replica', 'what happened to a person', readTimeline, {}],
  ['primary', 'users', listUsers, {}],
  ['primary', 'wallets', listWallets, {}],
])('the %s answers for later pages of %s', async (server, _, endpoint, query) => {
  await replicaAnswers()
  const cursor = Buffer.from(
    JSON.stringify([
      'createdAt',
      'desc',
      '2099-01-01T00:00:00.000000Z',
      endpoint === listAudit ? '99999999' : '00000000-0000-7000-8000-000000000000',
    ]),
  ).toString('base64url')
  const page = await ask(endpoint, { ...query, limit: '10', cursor })
  expect([page.status, page.from]).toEqual([200, server])
})

test.each<[string, Query]>([
  ['the queue', { status: 'PENDING', mayLag: 'true' }],
  ['what is to be sent', { status: 'APPROVED', mayLag: 'true' }],
  ['named rows', { ids: '00000000-0000-7000-8000-000000000000', mayLag: 'true' }],
])('the primary answers for %s', async (_, query) => {
  await replicaAnswers()
  expect(await ask(listTransactions, { ...query, limit: '100' })).toMatchObject({
    status: 200,
    from: 'primary',
  })
})

test('investors read their own lists from the primary', async () => {
  await replicaAnswers()
  for (const endpoint of [listTransactions, listInvestments])
    for (const query of [{}, { limit: '100', mayLag: 'true' }] as const) {
      const own = await ask(endpoint, endpoint === listInvestments ? {} : query, investor)
      expect([own.status, own.from, own.asOf]).toEqual([200, 'primary', undefined])
      expect(own.body.length).toBeGreaterThanOrEqual(100)
    }
})

test('both servers give equal rows the same ETag', async () => {
  await standby.catchUp()
  await replicaAnswers()
  const query = { limit: '100', type: 'investment' }
  const { headers } = await ask(listTransactions, query)
  const { etag } = (await ask(listTransactions, { ...query, mayLag: 'true' })).headers
  expect(etag).toBe(headers.etag)
})

test('metrics tell the lag and who answered', async () => {
  await replicaAnswers()
  const metrics = openMetrics()
  metrics.watch(product.context, product.database)
  const { content } = await metrics.text()
  const { replica: read, primary } = replica.counts()
  expect(content).toMatch(/^replica_lag_seconds [\d.e-]+$/m)
  expect(content).toContain(`lagging_reads_total{source="replica"} ${read}`)
  expect(content).toContain(`lagging_reads_total{source="primary"} ${primary}`)
})

test('an ended session reads nothing, though the replica has it', async () => {
  await replicaAnswers()
  const leaver = await person(product, ['ADMIN'])
  await standby.catchUp()
  await standby.superuser.query('SELECT pg_wal_replay_pause()')
  await endSessionsOf(product.context.db, leaver.id)
  const query = { limit: '1', mayLag: 'true' }
  expect((await ask(listAudit, query, leaver)).status).toBe(401)
  const { rowCount } = await standby.superuser.query('SELECT FROM sessions WHERE user_id = $1', [
    leaver.id,
  ])
  expect(rowCount).toBe(1)
  expect((await ask(listAudit, query)).from).toBe('replica')
  await standby.superuser.query('SELECT pg_wal_replay_resume()')
})

/** One line as an outage begins and one as it ends. A busy machine may see a second one. */
const expectOutagesLogged = () => {
  const outage = [
    'the replica is away; the primary answers until it is back',
    'the replica answers again',
  ]
  expect(logged.slice(0, 2)).toEqual(outage)
  expect(logged).toEqual(Array.from({ length: logged.length / 2 }, () => outage).flat())
}

test('a stalled standby is left until it catches up', async () => {
  await replicaAnswers()
  logged.length = 0
  await standby.superuser.query('SELECT pg_wal_replay_pause()')
  await primaryAnswers()
  expect(replica.lag()).toBeUndefined()
  await standby.superuser.query('SELECT pg_wal_replay_resume()')
  await replicaAnswers()
  expect(replica.lag()).toBeLessThanOrEqual(5)
  expectOutagesLogged()
})

/** Replay may come a moment later. */
const MOST_ROUNDS = 1_000

/** Makes recovery cancel the reads of the standby: it removes rows that they may see. */
const conflict = async () => {
  await product.database.superuser.query('UPDATE heartbeats SET at = clock_timestamp()')
  await product.database.superuser.query('VACUUM heartbeats')
}

test('a read that recovery cancels is repeated on the primary', async () => {
  await replicaAnswers()
  const read: boolean[] = []
  await replica.begin().read(async (db) => {
    const isStandby = sql<{ it: boolean }>`SELECT pg_is_in_recovery() AS it`
    const { rows } = await isStandby.execute(db)
    read.push(rows[0]?.it ?? false)
    if (!rows[0]?.it) return
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      await conflict()
      await isStandby.execute(db)
    }
  })
  expect(read).toEqual([true, false])
})

test('a read that has begun is not repeated', async () => {
  await replicaAnswers()
  const reads = replica.begin()
  let begun = false
  const reading = reads.read(
    async (db) => {
      begun = true
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        await conflict()
        await sql`SELECT`.execute(db)
      }
    },
    () => !begun,
  )
  await expect(reading).rejects.toThrow()
})

test('a killed standby fails no request', async () => {
  await replicaAnswers()
  logged.length = 0
  const endings: number[] = []
  let isLeft = false
  const keepAsking = async () => {
    while (!isLeft) {
      const { status, from } = await ask(listAllInvestments, { limit: '1000', mayLag: 'true' })
      endings.push(status)
      if (endings.length === 20) standby.kill()
      isLeft ||= endings.length > 100 && from === 'primary'
    }
  }
  await Promise.all([1, 2, 3, 4].map(keepAsking))
  expect(new Set(endings)).toEqual(new Set([200]))
  standby.door.isShut = true
  await primaryAnswers()
  standby.door.isShut = false
  await standby.restart()
  await replicaAnswers()
  expectOutagesLogged()
})

test('a promoted standby is left', async () => {
  await replicaAnswers()
  await standby.superuser.query('SELECT pg_promote()')
  const { from } = await ask(listAudit, { limit: '1', mayLag: 'true' })
  expect(from).toBe('primary')
  await vi.waitFor(() => expect(replica.lag()).toBeUndefined())
})
