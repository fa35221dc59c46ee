import { listUsers } from '@pool/contract/accounts/users'
import { cents } from '@pool/contract/base/money'
import { createWallet, deleteWallet, listWallets } from '@pool/contract/chain/wallets'
import { listAllInvestments } from '@pool/contract/money/investments'
import { adminFigures, poolFigures } from '@pool/contract/reports/figures'
import { listTransactions, totalBalance } from '@pool/contract/requests/transactions'
import { beforeAll, expect, test } from 'vitest'
import { checkLedger, findingOf } from '../../ledger/check/check.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { expireDeposits } from '../../requests/transactions/expireDeposits.ts'
import { rejectWithdrawal } from '../../requests/transactions/rejectWithdrawal.ts'
import { requestDeposit } from '../../requests/transactions/requestDeposit.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { newAddress } from '../../testing/addresses.ts'
import { actAs, investorWith, type Person, person, testProduct } from '../../testing/product.ts'

const product = testProduct()
let chief: Person
beforeAll(async () => {
  chief = await person(product, ['SUPER_ADMIN'])
})

const finding = async (of = product) => findingOf(await checkLedger(of.context.db))
const query = (text: string) => product.database.superuser.query(text)

/** Runs everything that writes tallied rows, through two ledgers at once. */
const live = async (investor: Person): Promise<void> => {
  const { context, database } = product
  const ledgers = [context.ledger, openLedger(database.pool)]
  await Promise.all(
    Array.from({ length: 12 }, (_, n) => {
      const ledger = ledgers[n % 2] ?? context.ledger
      const config = { ...context.config, daySeconds: n % 4 < 2 ? 0 : 86_400 }
      return openInvestment(
        { ...context, ledger, config },
        { by: { id: investor.id, from: 'tests' }, amount: cents(5_00n), durationDays: 1 },
      )
    }),
  )
  await Promise.all(ledgers.map((ledger) => payMaturities({ ...context, ledger })))
  for (const decide of [approveWithdrawal, rejectWithdrawal]) {
    const { transactionId } = await requestWithdrawal(context, {
      by: { id: investor.id, from: 'tests' },
      amount: cents(20_00n),
    })
    await decide(context, { transactionId, userId: investor.id, by: actAs(chief), reason: 'no' })
  }
  await requestWithdrawal(context, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(20_00n),
  })
  await requestDeposit(context.ledger, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(20_00n),
  })
  await expireDeposits(context, 0)
  const { body } = await product.call(createWallet, {
    token: chief.token,
    payload: { address: newAddress(), networkName: 'Bitcoin' },
  })
  await product.call(deleteWallet, {
    token: chief.token,
    params: { id: body.id },
  })
}

test('all tallies equal a recount after concurrent writes', async () => {
  for (const investor of [await investorWith(product, 500), await investorWith(product, 500)])
    await live(investor)
  expect(await finding()).toBeUndefined()
  const { rows: spendable } = await query(
    "SELECT sum(balance)::float8 / 100 AS dollars FROM accounts WHERE kind = 'available'",
  )
  expect((await product.call(totalBalance, { token: chief.token })).body).toBe(spendable[0].dollars)
  const { rows } = await query('SELECT DISTINCT noun FROM tallies ORDER BY noun')
  expect(rows.map(({ noun }) => noun)).toEqual([
    'audit',
    'decisions',
    'investments',
    'maturities',
    'transactions',
    'users',
    'wallets',
  ])
})

test('concurrent writers do not wait for each other', async () => {
  const [one, other] = [
    await product.database.pool.connect(),
    await product.database.pool.connect(),
  ]
  const change = "SELECT tally(ARRAY[('users', '2026-01-01', 'test', '', 1, 0, 0)::tally_change])"
  try {
    for (const client of [one, other]) await client.query("BEGIN; SET LOCAL lock_timeout = '1ms'")
    for (const client of [one, other, one]) await client.query(change)
    const read =
      "SELECT sum(rows)::int AS rows FROM tallies WHERE kind = 'test' AND day = '-infinity'"
    expect((await one.query(read)).rows).toEqual([{ rows: 2 }])
    await one.query('COMMIT')
    expect((await other.query(read)).rows).toEqual([{ rows: 3 }])
  } finally {
    await one.query('ROLLBACK')
    await other.query('ROLLBACK')
    one.release()
    other.release()
  }
  await query("DELETE FROM tallies WHERE kind = 'test'")
})

test.each([
  [
    "UPDATE tallies SET rows = rows + 1 WHERE noun = 'transactions' AND day > '-infinity' AND kind = 'payout'",
    /^The tally of transactions payout COMPLETED of 20/,
  ],
  [
    "UPDATE tallies SET cents = cents + 1 WHERE noun = 'investments' AND day = '-infinity' AND status = 'ACTIVE'",
    /^The tally of investments 1 ACTIVE of all days is kept as \d+ rows, \d+ cents/,
  ],
  [
    "DELETE FROM tallies WHERE noun = 'users' AND day = '-infinity'",
    /^The tally of users of all days is kept as nothing, but a recount comes to \d+ rows/,
  ],
])('the check names a tally that differs: %s', async (statement, sentence) => {
  await query(statement)
  expect(await finding()).toMatch(sentence)
  await query('SELECT recount_tallies()')
  expect(await finding()).toBeUndefined()
})

test('totals and admin figures never read the rows', async () => {
  const total = async (endpoint: typeof listTransactions, asked: Record<string, string> = {}) =>
    (await product.call(endpoint, { token: chief.token, query: { limit: '0', ...asked } })).page
      ?.total
  const day = new Date().toISOString().slice(0, 10)
  const readTotals = async () => [
    await total(listTransactions),
    await total(listTransactions, {
      status: 'APPROVED,PENDING',
      type: 'withdrawal',
      from: day,
      to: day,
    }),
    await total(listAllInvestments as never, { status: 'ACTIVE' }),
    await total(listUsers as never, { from: '2026-01-01' }),
    await total(listWallets as never, { status: 'assigned', network: 'Bitcoin' }),
    (await product.call(totalBalance, { token: chief.token })).body,
  ]
  const readFigures = async () => (await product.call(adminFigures, { token: chief.token })).body
  const [before, figures] = [await readTotals(), await readFigures()]
  expect(before.slice(0, 5).every((count) => Number(count) > 0)).toBe(true)

  // Hides the columns, so that any read of the rows would fail.
  await query(
    'ALTER TABLE transactions RENAME COLUMN created_at TO gone; ALTER TABLE movements RENAME COLUMN name TO gone',
  )
  // The sum on the way is one row of the pool.
  expect(await readFigures()).toEqual(figures)
  await query(
    'ALTER TABLE wallets RENAME COLUMN address TO gone; ALTER TABLE accounts RENAME COLUMN kind TO gone',
  )
  expect(await readTotals()).toEqual(before)
  await query(
    'ALTER TABLE transactions RENAME COLUMN gone TO created_at; ALTER TABLE movements RENAME COLUMN gone TO name',
  )
  await query(
    'ALTER TABLE wallets RENAME COLUMN gone TO address; ALTER TABLE accounts RENAME COLUMN gone TO kind',
  )
  expect((await product.call(poolFigures)).status).toBe(200)
})
