import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { approveProposal } from '@pool/contract/agreements/proposals'
import { approveOpenProposal } from '@pool/contract/agreements/staffProposals'
import { formatDollars } from '@pool/contract/base/money'
import { createWallet } from '@pool/contract/chain/wallets'
import { recordBorrower } from '@pool/contract/lending/borrowers'
import { askLoanWriteOff } from '@pool/contract/lending/lateLoans'
import * as loans from '@pool/contract/lending/loans'
import { poolBook } from '@pool/contract/lending/poolBook'
import { invest } from '@pool/contract/money/investments'
import { confirm } from '@pool/contract/requests/decisions'
import { deposit } from '@pool/contract/requests/requests'
import { newAddress } from '../server/testing/addresses.ts'
import { dayFrom } from '../server/testing/loans.ts'
import { sumsOf } from '../server/testing/poolSums.ts'
import { connectTo } from '../server/testing/process.ts'
import { tamper } from '../server/testing/tamper.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'
import { expectAccessible, openPage } from './steps.ts'

/** The page of the pool, true from the first deposit to a loan that is lost. */

test.describe.configure({ mode: 'serial', timeout: 240_000 })

let own: OwnProduct
let database: ReturnType<typeof connectTo>
let [first, second, one, other, investor]: Session[] = []
let loanId = ''

test.beforeAll(async () => {
  own = await startOwnProduct({ LOAN_CONCENTRATION: '100', DAY_SECONDS: '1' })
  database = connectTo(own)
  first = await own.person(['ADMIN'])
  second = await own.person(['ADMIN'])
  one = await own.superAdmin()
  other = await own.person(['SUPER_ADMIN'])
  investor = await own.person()
})
test.afterAll(async () => {
  await database?.close()
  await own?.remove()
})

const fact = (page: Page, section: string, name: string) =>
  page
    .getByRole('region', { name: section, exact: true })
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')

/** Cents of the pool's accounts, summed from the rows of transfers. */
const accountSums = async (): Promise<Readonly<Record<string, number>>> => {
  const { rows } = await database.pool.query(
    `SELECT a.kind, coalesce(sum(CASE WHEN to_account_id = a.id THEN t.amount ELSE -t.amount END), 0)::int AS cents
     FROM accounts AS a LEFT JOIN transfers AS t ON a.id IN (from_account_id, to_account_id)
     WHERE a.owner_id = '00000000-0000-0000-0000-000000000000' GROUP BY 1`,
  )
  return Object.fromEntries(rows.map(({ kind, cents }) => [kind, cents]))
}

/**
 * Counts until the page has these figures of the book, which the test sums up from the rows. Leaves
 * the tab of the money open.
 */
const becomesTrue = async (page: Page) => {
  const sums = await sumsOf(database.pool, dayFrom(0))
  const inRecovery = sums.arrears.buckets.find(({ bucket }) => bucket === 'recovery')
  await expect(async () => {
    await own.runJob('poolFigures')
    await page.goto(`${own.url}/pool`)
    const soon = { timeout: 3_000 }
    const { outstanding, loans } = sums.book
    const active = loans - (inRecovery?.loans ?? 0)
    await expect(fact(page, 'Loans', 'Outstanding')).toHaveText(formatDollars(outstanding), soon)
    await expect(fact(page, 'Loans', 'Active loans')).toHaveText(String(active), soon)
    const row = page
      .getByRole('region', { name: 'Arrears', exact: true })
      .getByRole('table', { name: 'Arrears', exact: true })
      .getByRole('row', { name: /^Recovery/ })
    await expect(row).toContainText(formatDollars(inRecovery?.outstanding ?? 0), soon)
    await page.getByRole('tab', { name: 'Money' }).click(soon)
    await expect(fact(page, 'Reserve', 'Expected loss')).toHaveText(
      formatDollars(sums.expectedLoss),
      soon,
    )
    const shown = await own.call(poolBook, undefined)
    expect(shown?.book).toEqual(sums.book)
    expect(shown?.arrears).toEqual(sums.arrears)
    const { reserve = 0, committed = 0, deployed = 0 } = await accountSums()
    expect(shown?.reserve).toMatchObject({
      free: reserve / 100,
      committed: committed / 100,
      deployed: deployed / 100,
    })
  }).toPass({ timeout: 120_000 })
}

test('a pool without loans says so', async ({ open }) => {
  await own.runJob('poolFigures')
  const page = await open(undefined, '/pool', { at: own })
  await expect(page.getByText('This pool has no loans yet')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('Deposits, withdrawals and investing are open.')).toBeVisible()
  await expectAccessible(page, 'pool-empty')
  const landing = await open(undefined, '/', { at: own })
  const lend = landing.getByRole('listitem').filter({ hasText: 'We Lend' })
  await expect(lend).toContainText('The pool has no loans yet.', { timeout: 60_000 })
  await landing.getByRole('link', { name: 'See the whole pool' }).click()
  await expect(landing.getByRole('heading', { name: 'The pool in public' })).toBeVisible()
  await expect(landing).toHaveURL(/\/pool$/)
})

const lend = async () => {
  const { id: borrowerId } = await own.call(recordBorrower, first, {
    name: 'Zacharias Quillfeather',
    country: 'de',
    kind: 'person',
    relation: 'none',
    grade: 'B',
    gradeReason: 'Two years of accounts',
  })
  const { id } = await own.call(loans.recordLoan, first, {
    borrowerId,
    purpose: 'business',
    amount: 1_200,
    rateBasisPoints: 1_200,
    schedule: 'equalPrincipal',
    period: 'weekly',
    dayCount: 'act365',
    instalments: 12,
    dueDay: 1,
    disburseOn: dayFrom(-98),
    firstDueOn: dayFrom(-91),
    takenOverOn: dayFrom(0),
  })
  const approval = await own.call(loans.askLoanApproval, first, { reason: 'Vetted' }, { id })
  await own.call(approveOpenProposal, second, undefined, { id: approval.proposalId })
  const evidence = randomBytes(32).toString('hex')
  const paid = { networkName: 'Bitcoin', evidence, disbursedOn: dayFrom(-98) }
  const payment = await own.call(loans.askDisbursement, first, paid, { id })
  await own.call(approveOpenProposal, second, undefined, { id: payment.proposalId })
  return id
}

test('a late loan shows in book and arrears', async ({ open }) => {
  loanId = await lend()
  const page = await open(undefined, '/pool', { at: own })
  await becomesTrue(page)
  await page.getByRole('region', { name: 'Promised and due' }).scrollIntoViewIfNeeded()
  await expect(page.getByRole('slider', { name: 'Promised and due' })).toBeVisible()
  await expectAccessible(page, 'pool-late')
  const repayment = { amount: 50, valueOn: dayFrom(0), reference: 'R-1' }
  const { reserve = 0, deployed = 0 } = await accountSums()
  await own.call(loans.repayLoan, first, repayment, { id: loanId })
  const repaid = { reserve: reserve + 50_00, deployed: deployed - 47_24 }
  expect(await accountSums()).toMatchObject(repaid)
  await becomesTrue(page)
  await expect(fact(page, 'This month', 'Income: interest of borrowers')).toHaveText('$2.76')
  await expect(fact(page, 'This month', 'Total income')).toHaveText('$2.76')
  const landing = await open(undefined, '/', { at: own })
  for (const said of [
    "Active loans: 1. Borrowers owe $1,152.76, of it $0.00 investors' principal.",
    'Interest this month: $2.76.',
    'Borrowers: 1.',
    'No interest was promised yet.',
    'Over 30 days past due: 100%.',
  ])
    await expect(landing.getByText(said)).toBeVisible()
  await expect(landing.getByText(/^One real loan, lent on /)).toHaveText(
    /: \$1,200\.00 at [\d.]+% a year\. Paid: 0 of \d+ instalments, \$2\.76 of interest\. Days late: \d+\.$/,
  )
  await expectAccessible(landing, 'landing-loans')
})

/** Another investor, with so many dollars at work for a day. */
const ownInvestor = async (amount: number): Promise<Session> => {
  const added = await own.person()
  const { userId } = added
  await own.call(createWallet, one, { address: newAddress(), networkName: 'Bitcoin' })
  const { transactionId } = await own.call(deposit, added, { userId, amount })
  await own.call(confirm, first, { transactionId })
  await own.call(invest, added, { userId, amount, durationDays: 1 })
  return added
}

test('borrowers’ interest pays an investment', async ({ open }) => {
  if (!investor) throw new Error('the investor registers first')
  const { userId } = investor
  await own.call(createWallet, one, { address: newAddress(), networkName: 'Bitcoin' })
  const { transactionId } = await own.call(deposit, investor, { userId, amount: 69 })
  await own.call(confirm, first, { transactionId })
  const { reserve = 0 } = await accountSums()
  await own.call(invest, investor, { userId, amount: 69, durationDays: 1 })
  // 4 % of $69.00 are the $2.76 that the borrower paid.
  const promised = { reserve: reserve - 2_76, committed: 2_76 }
  expect(await accountSums()).toMatchObject(promised)
  const page = await open(investor, '/dashboard', { at: own })
  // The total value counts the interest from the first day.
  const available = page.locator('[data-part=available]')
  await expect(async () => {
    await own.runJob('maturities')
    await page.reload()
    await expect(available).toContainText('$71.76', { timeout: 3_000 })
  }).toPass({ timeout: 120_000 })
  expect(await accountSums()).toMatchObject({ ...promised, committed: 0 })
  const visitor = await open(undefined, '/pool', { at: own })
  await becomesTrue(visitor)
  await expect(visitor.getByText('All interest so far came from borrowers.')).toBeVisible()
  await expect(fact(visitor, 'Interest by month', 'Paid so far')).toHaveText('$2.76')
  const { userId: richer } = await ownInvestor(1_000)
  expect(richer).not.toBe(userId)
  await becomesTrue(visitor)
  // 2.76 of 42.76 are 6 cents of a dollar.
  const payers = 'Of each dollar of interest, 6 cents came from borrowers and 94 from the operator.'
  const landing = await open(undefined, '/', { at: own })
  for (const each of [visitor, landing]) await expect(each.getByText(payers)).toBeVisible()
  await expect(
    landing.getByText(/The free reserve pays new interest for [\d,]+ more days/),
  ).toBeVisible()
  // The page is read within a minute (docs/product.md 1.4).
  const words = (await landing.getByRole('main').innerText()).trim().split(/\s+/)
  expect(words.length).toBeLessThanOrEqual(350)
})

test('a default and its loss stay in the figures', async ({ open }) => {
  const page = await open(undefined, '/pool', { at: own })
  await own.runJob('arrears')
  await expect
    .poll(
      async () => (await own.call(loans.loanStory, first, undefined, { id: loanId })).loan.status,
      {
        timeout: 60_000,
      },
    )
    .toBe('DEFAULTED')
  await becomesTrue(page)
  await page.getByRole('tab', { name: 'Loans' }).click()
  const years = page.getByRole('table', { name: 'By year of disbursement' })
  await expect(years.getByRole('row').nth(1)).toContainText('100%')
  const asked = { reason: 'Nothing is left', amount: 1_152.76 }
  const { proposalId } = await own.call(askLoanWriteOff, one, asked, { id: loanId })
  await own.call(approveProposal, other, undefined, { id: proposalId })
  await becomesTrue(page)
  await expect(fact(page, 'This month', 'Written off')).toHaveText('$1,152.76')
  await page.getByRole('tab', { name: 'Loans' }).click()
  await expect(fact(page, 'Losses', 'Borne by investors')).toHaveText('$0.00')
  await expect(years.getByRole('row').nth(1)).toContainText('100%')
  await expectAccessible(page, 'pool-loss')
})

test('the file of loans matches its digest without a name', async ({ open }) => {
  const page = await open(undefined, '/', { at: own })
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Check us' })
    .click()
  const proof = page.getByRole('tab', { name: 'Proof' })
  await expect(proof).toHaveAttribute('aria-selected', 'true', { timeout: 60_000 })
  await expect(proof).toBeInViewport()
  const link = page.getByRole('link', { name: `Download ${dayFrom(0)}` })
  // The file of the first start has no loan.
  await tamper(database, 'DELETE FROM pool_tapes')
  await expect(async () => {
    await own.runJob('poolTape')
    await page.reload()
    const row = page.getByRole('row').filter({ has: link })
    await expect(row.getByRole('cell', { name: '1', exact: true })).toBeVisible({ timeout: 3_000 })
  }).toPass({ timeout: 120_000 })
  const [download] = await Promise.all([page.waitForEvent('download'), link.press('Enter')])
  const file = await readFile(await download.path())
  const digest = createHash('sha256').update(file).digest('hex')
  await expect(page.getByText(digest, { exact: true })).toBeVisible()
  const signed = page.getByRole('row').filter({ has: link })
  await expect(signed.getByText(/^[0-9a-f]{8} [\w-]{86}$/)).toBeVisible()
  expect(download.suggestedFilename()).toBe(`loans-${dayFrom(0)}.csv`)
  const said = `${file}${await page.content()}`
  expect(said).not.toMatch(/Quillfeather|Zacharias|two years of accounts/i)
  expect(said).not.toContain(loanId)
  for (const person of [first, second]) expect(said).not.toContain(person?.username)
  await page.getByText('What the columns mean').click()
  await expect(page.getByText('borrower_key')).toBeVisible()
  const named = await page.locator('dt code').allTextContents()
  expect(String(file).split('\r\n')[0]).toBe(named.join(','))
  const spanish = await open(undefined, '/pool?lang=es', { at: own })
  await expect(spanish.getByRole('heading', { name: 'El fondo en público' })).toBeVisible()
  await expect(spanish.getByText('Pendiente', { exact: true }).first()).toBeVisible()
  await expectAccessible(spanish, 'pool-es')
})

test('failed figures can be asked for again', async ({ open }) => {
  const page = await open(undefined, undefined, { at: own })
  await page.route('**/api/v1/public/pool/book', (route) => route.abort())
  await page.goto(`${own.url}/pool`)
  const alert = page.getByRole('alert')
  await expect(alert).toBeVisible({ timeout: 60_000 })
  await page.unroute('**/api/v1/public/pool/book')
  await alert.getByRole('button', { name: 'Retry' }).press('Enter')
  await expect(fact(page, 'Loans', 'Outstanding')).toBeVisible()
})

test('an investor reads what the money works in', async ({ open }) => {
  const page = await open(investor, '/dashboard', { at: own })
  const card = page.getByRole('region', { name: 'Where your interest comes from' })
  // The end of the page is drawn once its user comes to it.
  await expect(async () => {
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded({ timeout: 1_000 })
    await expect(card).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(card).toContainText("None of the investors' principal is lent.")
  await expect(card).toContainText('6 cents came from borrowers and 94 from the operator')
  await expectAccessible(page, 'dashboard-worksIn')
  await openPage(page, /^The pool/)
  await expect(page).toHaveURL(/\/pool$/)
})

test('the page of stress tells safe from not safe', async ({ open }) => {
  const page = await open(one, '/admin/stress', { at: own })
  await expect(page.getByRole('heading', { name: 'If 20% of loans default' })).toBeVisible()
  await lend()
  const typed = page.getByLabel('Default, in percent')
  await typed.fill('101')
  await typed.press('Enter')
  await expect(page.getByText('Please give a whole percent from 0 to 100')).toBeVisible()
  await typed.fill('50')
  await typed.press('Enter')
  await expect(page.getByRole('heading', { name: 'If 50% of loans default' })).toBeVisible()
  const lost = page.locator('dl > div').filter({ has: page.getByText('Lost', { exact: true }) })
  await expect(lost).toContainText('$600.00')
  await expect(page.getByText('Covered on each of 90 days.')).toBeVisible()
  const chart = page.getByRole('region', { name: 'Left after what is owed, by day' })
  await chart.scrollIntoViewIfNeeded()
  await expect(chart.getByRole('slider')).toBeVisible()
  await expectAccessible(page, 'stress')
})
