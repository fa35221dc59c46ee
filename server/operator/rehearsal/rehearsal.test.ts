import { cents } from '@pool/contract/base/money'
import { afterEach, expect, inject, test } from 'vitest'
import { connect, type Database } from '../../base/db/connection.ts'
import { openLog } from '../../base/process/log.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { pause, resume } from '../../money/brakes/pauses.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { recordOrVerifyMode } from '../../records/mode/mode.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { LIVE } from '../../testing/live.ts'
import { openDesk } from '../../testing/loanDesk.ts'
import { investorWith, type Product, person, startProduct } from '../../testing/product.ts'
import { rounds } from '../../testing/rounds.ts'
import { tamper } from '../../testing/tamper.ts'
import { fillSandbox } from '../demo/fill.ts'
import { rehearse, requireRehearsable } from './rehearse.ts'
import { markdownOf, readReport } from './report.ts'
import { markCopy, readRehearsal } from './state.ts'

let product: Product
let own: Database | undefined
let database = ''

/** A sandbox with days of life, and a connection of the rehearsal's own. */
const fill = async (days = 20, investors = 25): Promise<void> => {
  product = await startProduct({}, { reserve: cents(0n) })
  await connectOwn()
  await fillSandbox({ pool: means().pool, owner: product.database.owner }, means(), {
    days,
    investors,
    password: 'a password for everybody',
  })
}
/** Connects, anew once the last connection was ended. */
const connectOwn = async (): Promise<void> => {
  const last = own
  own = undefined
  // A connection of the product may just have been ended, so the name is asked for once.
  const [found] = last
    ? [{ name: database }]
    : (await product.database.pool.query('SELECT current_database() AS name')).rows
  await last?.close()
  database = found.name
  own = connect({ ...inject('postgres').app, database }, 1, openLog('silent'))
}
const means = () => {
  if (!own) throw new Error('the connection is opened first')
  const { config, plans, keys } = product.context
  return { config, plans, keys, db: own.db, pool: own.pool, ledger: openLedger(own.pool) }
}
afterEach(async () => {
  const last = own
  own = undefined
  await last?.close()
  await product.close()
})

const rehearseNow = (percent: number) =>
  rehearse({ pool: means().pool, owner: product.database.owner }, means(), percent)
const report = async () => {
  const done = await readRehearsal(product.database.owner)
  if (!done) throw new Error('nothing was rehearsed')
  return readReport(product.context, done)
}
const rows = async (text: string) => (await product.database.superuser.query(text)).rows

/** Accounts that are not at zero, by their transfers. */
const standing = () =>
  rows(`SELECT kind, sum(side.amount)::text AS cents FROM transfers AS t
    CROSS JOIN LATERAL (VALUES (from_account_id, -t.amount), (to_account_id, t.amount)) AS side (account_id, amount)
    JOIN accounts AS a ON a.id = side.account_id GROUP BY kind HAVING sum(side.amount) <> 0`)

const expectZero = async (): Promise<void> => {
  expect(await standing()).toEqual([])
  expect(await rows('SELECT FROM accounts WHERE balance <> 0')).toEqual([])
  expect(await rows("SELECT FROM pg_namespace WHERE nspname = 'demo'")).toEqual([])
  await expectWhole(product)
}

test('a rehearsal of a filled sandbox ends at zero', async () => {
  await fill()
  await rehearseNow(0)
  await expectZero()
  const found = await report()
  expect(found).toMatchObject({
    fault: null,
    defaultPercent: 0,
    unclaimed: { investors: 0, amount: 0 },
  })
  expect(Object.values(found.left).every((sum) => sum === 0)).toBe(true)
  const { half, most, all } = found.paidBy
  expect([half, most, all]).toEqual([half, most, all].toSorted())
  expect(found.endedAt && all && found.endedAt >= all).toBe(true)
  expect(found.capitalTaken).toBeGreaterThan(0)
  expect(markdownOf(found)).toContain('the audit trail is whole')
  expect(found.statements).toMatchObject({ untrue: [] })
  expect(found.statements.checked).toBeGreaterThan(25)
  expect(markdownOf(found)).toContain(`All ${found.statements.checked} statements`)
  // Another call changes nothing.
  await rehearseNow(50)
  expect(await report()).toEqual(found)
})

test('a rehearsal stopped at any moment goes on', async () => {
  await fill(14, 12)
  let stops = 0
  for (const wanted = rounds({ full: 25, short: 2 }); ; ) {
    const running = rehearseNow(20).then(
      () => 'done',
      () => 'stopped',
    )
    const strike =
      stops < wanted &&
      setTimeout(
        () => {
          stops += 1
          product.database.superuser
            .query(
              'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
            )
            .catch(() => undefined)
        },
        200 + Math.random() * 1_500,
      )
    const end = await running
    if (strike) clearTimeout(strike)
    if (end === 'done') break
    await connectOwn()
  }
  expect(stops).toBeGreaterThan(0)
  await expectZero()
  const found = await report()
  expect(found).toMatchObject({ fault: null, defaultPercent: 20 })
  const { amount, percent } = found.defaulting
  expect(percent).toBeGreaterThanOrEqual(20)
  expect(percent).toBeCloseTo((amount / (found.opening.outstanding ?? 0)) * 100, 1)
})

test('the report names each statement that is not true', async () => {
  product = await startProduct({}, { reserve: cents(1_000_00n) })
  await connectOwn()
  const investor = await investorWith(product, 500)
  await investorWith(product, 200)
  await rehearseNow(0)
  const { statements } = await report()
  expect(statements).toEqual({ checked: expect.any(Number), untrue: [] })
  // The movement points to no row, so a statement misses it.
  await tamper(
    product.database,
    `UPDATE movements SET reference_id = uuidv7() WHERE name = 'deposit_confirmed'
       AND reference_id IN (SELECT id FROM transactions WHERE user_id = '${investor.id}')`,
  )
  const found = await report()
  expect(found.statements.checked).toBe(statements.checked)
  expect(found.statements.untrue).toEqual([
    ...['\\d{4}', '\\d{4}-\\d{2}'].map((period) =>
      expect.stringMatching(
        `^statement-${period}-${investor.id}.json closes with -500.00 available`,
      ),
    ),
    expect.stringContaining('The statements of all investors come to -500.00 available'),
  ])
  expect(found.fault).not.toBeNull()
  expect(markdownOf(found)).toContain('- statement-')
})

test('a pause of withdrawals stops it until it ends', async () => {
  product = await startProduct({}, { reserve: cents(1_000_00n) })
  await connectOwn()
  await investorWith(product, 500)
  const by = { name: 'tests', from: 'tests' }
  await pause(product.context, { name: 'withdrawals', by, reason: 'A look at the coins.' })
  const stoppedBy = await rehearseNow(0)
  expect(stoppedBy).toMatch(/paused: A look at the coins. End the pause with .*resume withdrawals/)
  const done = await readRehearsal(product.database.owner)
  if (!done) throw new Error('nothing was rehearsed')
  expect(markdownOf(await readReport(product.context, done, stoppedBy))).toContain(stoppedBy)
  await tamper(
    product.database,
    `INSERT INTO reconciliations (id, break_cents, is_unpriced, is_whole, limit_cents, is_pausing, custody_cents, typed_cents, coins_cents)
       VALUES (uuidv7(), 1, false, false, 0, true, 0, 0, 0);
     UPDATE pauses SET reconciliation_id = (SELECT id FROM reconciliations) WHERE name = 'withdrawals'`,
  )
  expect(await rehearseNow(0)).toContain('Two super admins end that on /admin/reconciliation')
  await tamper(
    product.database,
    "UPDATE pauses SET reconciliation_id = NULL WHERE name = 'withdrawals'; DELETE FROM reconciliations",
  )
  await resume(product.context, { name: 'withdrawals', by })
  expect(await rehearseNow(0)).toBeUndefined()
  await expectZero()
})

test('a live pool, nodes and a running product refuse it', async () => {
  product = await startProduct(LIVE)
  await connectOwn()
  const { config } = product.context
  const ask = (isCopy: boolean, more: object = {}) =>
    requireRehearsable(means(), { config: { ...config, ...more }, isCopy })
  await expect(ask(false)).rejects.toThrow('This pool is live')
  await expect(ask(true, { chains: [{}] })).rejects.toThrow('CHAINS names nodes')
  await expect(ask(true)).rejects.toThrow('Stop the product first')
})

test('a copy of a live pool is never served', async () => {
  product = await startProduct(LIVE)
  await connectOwn()
  await recordOrVerifyMode(product.context)
  await markCopy(product.database.owner)
  expect(await readRehearsal(product.database.owner)).toBeUndefined()
  await expect(recordOrVerifyMode(product.context)).rejects.toThrow('never served')
  const investor = await investorWith(product, 500)
  const by = { id: investor.id, from: 'tests' }
  await openInvestment(product.context, { by, amount: cents(300_00n), durationDays: 12 })
  await rehearseNow(0)
  await expectZero()
  expect((await report()).paidBy.all).not.toBeNull()
  expect(await rows("SELECT FROM mails WHERE status = 'WAITING'")).toEqual([])
})

test('a rehearsal ends a loss beyond the reserve', {
  timeout: 120_000,
}, async () => {
  product = await startProduct(
    { LOAN_CONCENTRATION: '100', LEND_PRINCIPAL: 'true', LOSS_NOTICE_HOURS: '0' },
    { reserve: cents(1_000_00n) },
  )
  await connectOwn()
  const [one, other] = [await person(product, ['ADMIN']), await person(product, ['ADMIN'])]
  const investor = await investorWith(product, 10_000)
  await openDesk(product, one, other).active({ amount: 900, fromInvestors: 900 })
  const by = { id: investor.id, from: 'tests' }
  await openInvestment(product.context, { by, amount: cents(10_000_00n), durationDays: 12 })
  await rehearseNow(100)
  await expectZero()
  const found = await report()
  expect(found.defaulting).toEqual({ loans: 1, amount: 900, percent: 100 })
  expect(markdownOf(found)).toContain('That is 100.00 % of the outstanding principal.')
  const { sharedLoss, shortfall, capitalTaken, fault } = found
  expect([sharedLoss + shortfall, capitalTaken, fault]).toEqual([600, 0, null])
})
