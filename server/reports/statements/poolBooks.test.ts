import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cents } from '@pool/contract/base/money'
import { readCsv } from '@pool/contract/base/readCsv'
import { accountKinds } from '@pool/contract/money/ledger'
import {
  type PoolStatementForm,
  poolStatementSchema,
  readPoolStatement,
} from '@pool/contract/reports/poolStatements'
import { beforeAll, expect, test } from 'vitest'
import { filesIn } from '../../testing/archives.ts'
import { openDesk } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
import { fund, type Person, person, testProduct } from '../../testing/product.ts'

const product = testProduct({ LOAN_CONCENTRATION: '100' }, { reserve: cents(20_000_00n) })
const MONTH = new Date().toISOString().slice(0, 7)
let admin: Person
let loanId: string

beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
  const desk = openDesk(product, admin, await person(product, ['ADMIN']))
  await fund(product, await person(product), cents(5_000_00n))
  loanId = await desk.active()
  // The first instalment is 102.76. The second is paid by 7.24.
  const { body } = await desk.repay(loanId, {
    amount: 110,
    valueOn: dayFrom(-2),
    reference: 'Wire 7; [x] of Ann, "May"',
  })
  await desk.reverse(body.repaymentId)
})

const fileOf = async (form: PoolStatementForm): Promise<readonly [name: string, text: string]> => {
  const { status, body } = await product.call(readPoolStatement, {
    token: admin.token,
    params: { period: MONTH, form },
  })
  expect(status).toBe(200)
  const [[name, file] = ['', '']] = Object.entries(filesIn(body))
  return [name, String(file)]
}
const linesOf = async (form: PoolStatementForm) => {
  const [heading, ...records] = readCsv((await fileOf(form))[1])
  return records.map(({ cells }) =>
    Object.fromEntries(cells.map((cell, place) => [heading?.cells[place] ?? '', cell])),
  )
}

test('lines of loans name loan, borrower, instalment and evidence', async () => {
  const { lines } = poolStatementSchema.parse(JSON.parse((await fileOf('json'))[1]))
  const of = (movement: string) => lines.filter((line) => line.movement === movement)
  const [row] = (
    await product.database.superuser.query(
      'SELECT l.borrower_id, d.evidence FROM loans AS l JOIN loan_disbursements AS d ON d.loan_id = l.id WHERE l.id = $1',
      [loanId],
    )
  ).rows
  const known = { loanId, borrowerId: row.borrower_id }
  const paidOut = { ...known, network: 'Bitcoin', networkTransaction: row.evidence }
  expect(of('loan_disbursed')).toMatchObject([
    { ...paidOut, valueDay: dayFrom(-30), from: 'loans' },
    { ...paidOut, valueDay: dayFrom(-30), from: 'reserve' },
  ])
  const payment = { valueDay: dayFrom(-2), paymentReference: 'Wire 7; [x] of Ann, "May"' }
  const instalments = ({ instalments }: { instalments: string | null }) => instalments
  expect(of('loan_repaid')).toMatchObject([
    { ...known, ...payment },
    { ...known, ...payment },
  ])
  expect(of('loan_repaid').map(instalments)).toEqual(['1 2', '1 2'])
  expect(of('loan_interest_received').map(instalments)).toEqual(['1 2'])
  expect(of('loan_interest_reversed')).toMatchObject([{ ...known, ...payment }])
})

test('a posting joins the lines of one event', async () => {
  const { lines } = poolStatementSchema.parse(JSON.parse((await fileOf('json'))[1]))
  const events = Map.groupBy(lines, ({ posting }) => posting)
  expect([...events.keys()]).toEqual([...events.keys()].map((_, place) => `${MONTH}/${place + 1}`))
  for (const parts of events.values())
    expect(new Set(parts.map(({ at, referenceId }) => `${at} ${referenceId}`)).size).toBe(1)
  const movements = [...events.values()].map((parts) => parts.map(({ movement }) => movement))
  expect(movements).toContainEqual(['loan_interest_received', 'loan_repaid', 'loan_repaid'])
  expect(movements).toContainEqual(['loan_disbursed', 'loan_disbursed'])
})

test('a month’s CSV opens with each account', async () => {
  const lines = await linesOf('csv')
  const opening = lines.filter(({ movement }) => movement === 'opening')
  expect(opening.map(({ to }) => to).toSorted()).toEqual(accountKinds.toSorted())
  const running = new Map<string, number>()
  const add = (kind: string, amount: number) =>
    running.set(kind, Math.round(((running.get(kind) ?? 0) + amount) * 100) / 100)
  for (const line of lines) {
    if (line.from) add(line.from, -Number(line.amount))
    add(line.to ?? '', Number(line.amount))
  }
  const { closing } = poolStatementSchema.parse(JSON.parse((await fileOf('json'))[1]))
  expect(Object.fromEntries(running)).toEqual(
    Object.fromEntries(Object.entries(closing).map(([kind, text]) => [kind, Number(text)])),
  )
})

test('the chart has class, side and sums that agree', async () => {
  const lines = await linesOf('accounts')
  expect((await fileOf('accounts'))[0]).toMatch(/^pool-statement-.*-accounts\.csv$/)
  const sum = (name: string) =>
    lines.reduce((all, line) => all + Math.round(Number(line[name]) * 100), 0)
  expect([sum('opening'), sum('closing'), sum('debits') - sum('credits')]).toEqual([0, 0, 0])
  for (const { opening, debits, credits, closing, sign, side } of lines) {
    expect(Number(opening) - Number(debits) + Number(credits)).toBeCloseTo(Number(closing), 6)
    expect(Number(closing) * Number(sign)).toBeGreaterThanOrEqual(0)
    expect(sign).toBe(side === 'debit' ? '-1' : '1')
  }
  expect(lines.find(({ account }) => account === 'custody')).toMatchObject({ class: 'asset' })
  expect(lines.find(({ account }) => account === 'available')).toMatchObject({ of: 'investors' })
})

/** Accounts and cents of the postings in each transaction of a journal, and what they must be. */
const readJournal = (text: string) =>
  text
    .split(/\n(?=\d{4}-\d\d-\d\d )/)
    .slice(1)
    .map((transaction) =>
      [...transaction.matchAll(/^ {4}(\S+) {2}(-?\d+\.\d\d) USD(?: = (-?\d+\.\d\d) USD)?/gm)].map(
        ([, account = '', amount, balance]) => ({
          account,
          cents: Math.round(Number(amount) * 100),
          balance: balance === undefined ? undefined : Math.round(Number(balance) * 100),
        }),
      ),
    )

test('each transaction of a journal comes to zero', async () => {
  const [name, text] = await fileOf('hledger')
  expect(name).toMatch(/^pool-statement-.*\.hledger$/)
  const transactions = readJournal(text)
  const { lines } = poolStatementSchema.parse(JSON.parse((await fileOf('json'))[1]))
  const postings = new Set(lines.map(({ posting }) => posting)).size
  expect(transactions.length).toBe(postings + 1)
  const balances = new Map<string, number>()
  for (const postings of transactions) {
    expect(postings.reduce((all, { cents }) => all + cents, 0)).toBe(0)
    for (const { account, cents, balance } of postings) {
      balances.set(account, (balances.get(account) ?? 0) + cents)
      if (balance !== undefined)
        expect([account, balances.get(account)]).toEqual([account, balance])
    }
  }
  expect(transactions.at(-1)?.map(({ balance }) => balance)).not.toContain(undefined)
  expect(balances.size).toBe(accountKinds.length)
})

const hasHledger = spawnSync('hledger', ['--version']).status === 0
if (!hasHledger) console.warn('hledger is not installed: its own check of a journal is skipped.')

test.skipIf(!hasHledger)('hledger checks a journal strictly', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'books-'))
  try {
    const [, text] = await fileOf('hledger')
    const [file, changed] = ['whole', 'changed'].map((name) => join(directory, `${name}.journal`))
    writeFileSync(file ?? '', text)
    writeFileSync(changed ?? '', text.replace(/= (\d+)\.(\d\d) USD/, '= $1$1.$2 USD'))
    const env = { ...process.env, LC_ALL: 'C.UTF-8' }
    const check = (of = '') => spawnSync('hledger', ['-f', of, 'check', '--strict'], { env })
    expect([check(file).status, String(check(file).stderr)]).toEqual([0, ''])
    expect(check(changed).status).not.toBe(0)
    const shown = execFileSync('hledger', ['-f', file ?? '', 'balance', 'assets:loans', '-N'], {
      env,
    })
    expect(String(shown)).toMatch(/1200\.00 USD +assets:loans/)
  } finally {
    rmSync(directory, { recursive: true })
  }
})
