import { cents } from '@pool/contract/base/money'
import { readCsv } from '@pool/contract/base/readCsv'
import { accountKinds } from '@pool/contract/money/ledger'
import { poolStatementSchema, readPoolStatement } from '@pool/contract/reports/poolStatements'
import { listStatements } from '@pool/contract/reports/statements'
import { beforeAll, expect, test } from 'vitest'
import { filesIn } from '../../testing/archives.ts'
import { codeOf, fund, type Person, person, testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'

const product = testProduct()
let admin: Person
const now = new Date()
const YEAR = String(now.getUTCFullYear())
const LAST = String(now.getUTCFullYear() - 1)

beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
  for (const dollars of [10_00n, 20_00n, 30_00n])
    await fund(product, await person(product), cents(dollars))
  // The first of these deposits is of the year before.
  await tamper(
    product.database,
    `UPDATE movements SET created_at = '${LAST}-05-05T10:00:00Z' WHERE name = 'deposit_confirmed' AND amount = 1000`,
  )
})

const ask = (of: Person, period: string, form: 'json' | 'csv' | 'coins' = 'json') =>
  product.call(readPoolStatement, { token: of.token, params: { period, form } })
const stated = async (period: string) => {
  const [file] = Object.values(filesIn((await ask(admin, period)).body))
  return poolStatementSchema.parse(JSON.parse(String(file)))
}

test('the closing balances are those of the ledger', async () => {
  const { rows } = await product.database.pool.query(`
    SELECT a.kind, sum(CASE WHEN f.to_account_id = a.id THEN amount ELSE -amount END)::text AS cents
    FROM accounts AS a JOIN transfers AS f ON a.id IN (f.to_account_id, f.from_account_id) GROUP BY 1`)
  const ledger = Object.fromEntries(rows.map(({ kind, cents }) => [kind, cents]))
  const [before, after] = [await stated(LAST), await stated(YEAR)]
  expect(after.opening).toEqual(before.closing)
  expect([before.opening.available, before.closing.available]).toEqual(['0.00', '10.00'])
  for (const kind of accountKinds)
    expect([kind, after.closing[kind]?.replace('.', '').replace(/^(-?)0+(?=\d)/, '$1')]).toEqual([
      kind,
      ledger[kind] ?? '0',
    ])
  const sum = Object.values(after.closing).reduce((all, text) => all + Number(text), 0)
  expect(sum).toBe(0)
})

test('a line has both balances right after it', async () => {
  const { opening, lines, closing, totals } = await stated(YEAR)
  const running = new Map(Object.entries(opening).map(([kind, text]) => [kind, Number(text)]))
  for (const { from, to, amount, fromBalance, toBalance } of lines) {
    running.set(from, (running.get(from) ?? 0) - Number(amount))
    running.set(to, (running.get(to) ?? 0) + Number(amount))
    expect([Number(fromBalance), Number(toBalance)]).toEqual([running.get(from), running.get(to)])
  }
  expect(Object.fromEntries(running)).toEqual(
    Object.fromEntries(Object.entries(closing).map(([kind, text]) => [kind, Number(text)])),
  )
  expect(totals.reduce((all, { count }) => all + count, 0)).toBe(lines.length)
  const [file] = Object.values(filesIn((await ask(admin, YEAR, 'csv')).body))
  expect(readCsv(String(file))).toHaveLength(lines.length + accountKinds.length + 1)
})

test('coins run to the units that the books hold', async () => {
  const { superuser } = product.database
  await superuser.query(
    `INSERT INTO coin_movements (id, network_name, transaction_id, asset, decimals, kind, from_account, to_account, units, cause, cause_id, position, cents, height, at)
     SELECT uuidv7(), network, 'tx' || place, asset, decimals, kind, source, target, units, 'PAYMENT', uuidv7(), 0, cents, 1, at::timestamptz
     FROM (VALUES (1, 'Bitcoin', 'BTC', 8, 'RECEIVED', 'investors', 'deposit', 150000000::numeric, 7500000, '${LAST}-06-01'),
       (2, 'Bitcoin', 'BTC', 8, 'SENT', 'deposit', 'payouts', 50000000, 2500000, '${YEAR}-01-01T10:00:00Z'),
       (3, 'Ethereum', 'ETH', 18, 'RECEIVED', 'investors', 'deposit', 1000000000000000001, NULL, '${YEAR}-01-01T11:00:00Z'))
       AS of (place, network, asset, decimals, kind, source, target, units, cents, at)`,
  )
  const files = filesIn((await ask(admin, YEAR, 'coins')).body)
  expect(Object.keys(files)[0]).toMatch(/^pool-coins-.*\.csv$/)
  const [, ...lines] = readCsv(String(Object.values(files)[0]))
  expect(lines.map(({ cells }) => cells.slice(1))).toEqual([
    ['SENT', 'Bitcoin', 'tx2', 'deposit', 'payouts', 'BTC', '0.5', '1', '0.5', '25000.00'],
    [
      'RECEIVED',
      'Ethereum',
      'tx3',
      'investors',
      'deposit',
      'ETH',
      '1.000000000000000001',
      '-1.000000000000000001',
      '1.000000000000000001',
      '',
    ],
  ])
})

test('staff see its period in the list of statements', async () => {
  const { body } = await product.call(listStatements, { token: admin.token })
  expect(body).toContainEqual({ period: YEAR, isComplete: false })
})

test('a download is on record with its period', async () => {
  const auditor = await person(product, ['AUDITOR'])
  const entries = async () => {
    const { rows } = await product.database.superuser.query(
      "SELECT actor_id, subject_id, before, after FROM audit_entries WHERE action = 'statement.taken' AND actor_id = ANY ($1) ORDER BY id",
      [[admin.id, auditor.id]],
    )
    return rows
  }
  const before = (await entries()).length
  await ask(auditor, LAST, 'csv')
  await ask(admin, YEAR, 'coins')
  expect((await ask(admin, '2099')).status).toBe(404)
  const nothing = { before: null, after: null }
  expect((await entries()).slice(before)).toEqual([
    { actor_id: auditor.id, subject_id: `pool-statement-${LAST}.csv`, ...nothing },
    {
      actor_id: admin.id,
      subject_id: expect.stringMatching(`^pool-coins-${YEAR}-until-.*Z.csv$`),
      ...nothing,
    },
  ])
})

test('a time whose movements may be archived is refused', async () => {
  await tamper(
    product.database,
    `INSERT INTO archived_months (month, until_id, movements, sha256, balances, mac, archived_at)
     VALUES ('2020-01', '00000000-0000-0000-0000-000000000001', 1, '', '', '', '${YEAR}-01-01'::timestamptz + interval '90 days')`,
  )
  const taken = async () => {
    const entries = "SELECT FROM audit_entries WHERE action = 'statement.taken'"
    return (await product.database.superuser.query(entries)).rowCount
  }
  const before = await taken()
  const refused = await ask(admin, LAST)
  expect([refused.status, codeOf(refused)]).toEqual([409, 'statementArchived'])
  expect(await taken()).toBe(before)
  expect((await ask(admin, YEAR)).status).toBe(200)
})
