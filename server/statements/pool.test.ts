import { readCsv } from '@pool/contract/csv'
import { accountKinds } from '@pool/contract/ledger'
import { cents } from '@pool/contract/money'
import { poolStatementSchema, readPoolStatement } from '@pool/contract/poolStatements'
import { listStatements } from '@pool/contract/statements'
import { beforeAll, expect, test } from 'vitest'
import { filesIn } from '../testing/archives.ts'
import { codeOf, fund, type Person, person, testProduct } from '../testing/product.ts'
import { tamper } from '../testing/tamper.ts'

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

const ask = (of: Person, period: string, form: 'json' | 'csv' = 'json') =>
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
  expect(readCsv(String(file))).toHaveLength(lines.length + 1)
})

test('staff and auditors alone get it', async () => {
  for (const [roles, status] of [
    [['USER'], 403],
    [['ADMIN'], 200],
    [['SUPER_ADMIN'], 200],
    [['AUDITOR'], 200],
  ] as const)
    expect([roles, (await ask(await person(product, roles), YEAR)).status]).toEqual([roles, status])
  const { body } = await product.call(listStatements, { token: admin.token })
  expect(body).toContainEqual({ period: YEAR, isComplete: false })
})

test('a time whose movements may be archived is refused', async () => {
  await tamper(
    product.database,
    `INSERT INTO archived_months (month, until_id, movements, sha256, balances, mac, archived_at)
     VALUES ('2020-01', '00000000-0000-0000-0000-000000000001', 1, '', '', '', '${YEAR}-01-01'::timestamptz + interval '90 days')`,
  )
  const refused = await ask(admin, LAST)
  expect([refused.status, codeOf(refused)]).toEqual([409, 'statementArchived'])
  expect((await ask(admin, YEAR)).status).toBe(200)
})
