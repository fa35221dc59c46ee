import { cents } from '@pool/contract/base/money'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Database } from '../../base/db/connection.ts'
import { openLog } from '../../base/process/log.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import { contributeCapital } from '../../money/reserve/contributeCapital.ts'
import { investorWith, type Product, startProduct } from '../../testing/product.ts'
import { type Ledger, openLedger } from './ledger.ts'

/** Operations in one group. */
const GROUP = 200
/** The most entries that one of them may read: those it touches, and a few more. */
const MOST_READ = 25
/** Unrelated users, and investments. */
const OTHERS = 20_000

let product: Product
/** The ledger's own connection, which keeps its plans and counts its reads at once. */
let own: Database
let ledger: Ledger
beforeAll(async () => {
  product = await startProduct()
  const { options } = product.database.pool
  own = connect({ ...options, password: options.password }, 1, openLog('silent'))
  ledger = openLedger(own.pool)
})
afterAll(async () => {
  await own.close()
  await product.close()
})

const query = (text: string) => own.pool.query(text)

/** Index entries and table rows read per operation. */
const readByEach = async (count: number, work: () => Promise<unknown>): Promise<number> => {
  const reads = async () => {
    await query('SELECT pg_stat_force_next_flush()')
    const { rows } = await query(
      'SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes) + (SELECT sum(seq_tup_read) FROM pg_stat_user_tables) AS reads',
    )
    return Number(rows[0].reads)
  }
  const before = await reads()
  await work()
  return ((await reads()) - before) / count
}

/** Reads per investment, when opened and when paid. */
const readByInvestments = async (count: number) => {
  const investors = await Promise.all(
    Array.from({ length: 20 }, () => investorWith(product, 1_000)),
  )
  const means = { ...product.context, ledger, config: { ...product.context.config, daySeconds: 0 } }
  const operations = Array.from({ length: count }, (_, n) => ({
    by: { id: investors[n % 20]?.id ?? '', from: 'tests' },
    amount: cents(5_00n),
    durationDays: 1,
  }))
  const made = await readByEach(count, () =>
    Promise.all(operations.map((operation) => openInvestment(means, operation))),
  )
  return {
    made,
    paid: await readByEach(count, () => payMaturities({ ledger, db: product.context.db })),
  }
}

// A connection keeps the plans of its first operation. A plan made for an empty table must not read
// a full one.
test('an operation reads no more rows as tables grow', async () => {
  // Plans the triggers of empty tables, as a start does. Without ANALYZE, the planner would expect
  // rows in them.
  await product.database.superuser.query('VACUUM (ANALYZE)')
  await contributeCapital(
    { ledger, keys: product.context.keys },
    { amount: cents(1n), note: 'first', contributedBy: 'tests', key: 'first' },
  )
  await product.database.superuser.query(`SET session_replication_role = replica;
    INSERT INTO users (id, username, password_hash, first_name, last_name, country)
    SELECT gen_random_uuid(), 'other' || n || '@example.com', 'x', 'O', 'ther', 'US' FROM generate_series(1, ${OTHERS}) AS n;
    INSERT INTO transactions (id, user_id, type, status, amount, rate_basis_points, interest, duration_days, investment_status, matures_at, created_at, updated_at)
    SELECT gen_random_uuid(), id, 'investment', 'COMPLETED', 1, 1, 0, 1, 'COMPLETED', now(), now(), now() FROM users;
    RESET session_replication_role`)
  for (const analyse of [false, true]) {
    if (analyse) await product.database.superuser.query('ANALYZE')
    const { made, paid } = await readByInvestments(GROUP)
    expect(made).toBeLessThan(MOST_READ)
    expect(paid).toBeLessThan(MOST_READ)
  }
})
