import { cents } from '@pool/contract/base/money'
import { poolFigures, userFigures } from '@pool/contract/reports/figures'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import {
  investorWith,
  type Person,
  type Product,
  person,
  startProduct,
} from '../../testing/product.ts'

let product: Product
let admin: Person
beforeAll(async () => {
  product = await startProduct()
  admin = await person(product, ['ADMIN'])
})
afterAll(() => product.close())
afterEach(() => {
  vi.useRealTimers()
})

test('anyone can read the pool’s debts and coverage', async () => {
  const pool = await startProduct({}, { reserve: cents(100_00n) })
  const read = async () => (await pool.app.inject({ url: poolFigures.path })).json().body
  vi.useFakeTimers({ toFake: ['performance'] })
  expect(await read()).toEqual({
    moneyAtWork: 0,
    interestPaid: 0,
    reserve: 100,
    committedInterest: 0,
    coverage: 1,
  })

  const someone = await investorWith(pool, 500)
  const overnight = { ...pool.context, config: { ...pool.context.config, daySeconds: 0 } }
  await openInvestment(overnight, {
    by: { id: someone.id, from: 'tests' },
    amount: cents(100_00n),
    durationDays: 12,
  })
  await payMaturities(pool.context)
  await openInvestment(pool.context, {
    by: { id: someone.id, from: 'tests' },
    amount: cents(300_00n),
    durationDays: 5,
  })
  vi.advanceTimersByTime(10_000)
  expect(await read()).toEqual({
    moneyAtWork: 300,
    interestPaid: 7,
    reserve: 78,
    committedInterest: 15,
    coverage: 1,
  })

  // Committed and owed interest are counted apart, so that uncovered interest shows.
  await pool.database.pool.query(
    `INSERT INTO transactions (id, user_id, type, status, amount, rate_basis_points, interest, duration_days, investment_status, matures_at, created_at, updated_at)
     VALUES ($1, $2, 'investment', 'COMPLETED', 10000, 500, 500, 5, 'ACTIVE', now(), now(), now())`,
    [newId(), someone.id],
  )
  vi.advanceTimersByTime(10_000)
  expect(await read()).toMatchObject({ committedInterest: 20, coverage: 0.75 })
  await pool.close()
})

test('the pool figures query the database once in ten seconds', async () => {
  const pool = await startProduct()
  vi.useFakeTimers({ toFake: ['performance'] })
  let connections = 0
  pool.database.pool.on('acquire', () => {
    connections += 1
  })
  const ask = () => pool.app.inject({ url: poolFigures.path })
  const answers = await Promise.all(Array.from({ length: 100 }, ask))
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  expect(answers[0]?.headers['cache-control']).toBe('public, max-age=10')
  vi.advanceTimersByTime(9_999)
  await ask()
  expect(connections).toBe(1)
  vi.advanceTimersByTime(1)
  await ask()
  expect(connections).toBe(2)
  await pool.close()
})

test('a failed read of the pool figures is not cached', async () => {
  const pool = await startProduct()
  await pool.database.superuser.query('ALTER TABLE tallies RENAME TO gone')
  const failed = await pool.app.inject({ url: poolFigures.path })
  expect([failed.statusCode, failed.headers['cache-control']]).toEqual([500, 'no-store'])
  await pool.database.superuser.query('ALTER TABLE gone RENAME TO tallies')
  expect((await pool.app.inject({ url: poolFigures.path })).statusCode).toBe(200)
  await pool.close()
})

test('a personal response is never cached', async () => {
  const { headers } = await product.app.inject({
    url: userFigures.path,
    headers: { authorization: `Bearer ${admin.token}` },
  })
  expect(headers['cache-control']).toBe('no-store')
})
