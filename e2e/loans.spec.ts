import { expect } from '@playwright/test'
import * as loans from '@pool/contract/lending/loans'
import { dayFrom } from '../server/testing/loans.ts'
import { connectTo } from '../server/testing/process.ts'
import { tamper } from '../server/testing/tamper.ts'
import { test } from './fixtures.ts'
import * as late from './lateLoanActs.ts'
import { approveByKeys, loanFacts } from './lateLoanActs.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'
import { expectAccessible, pressIn, rows, settled } from './steps.ts'
import { PHONE } from './widths.ts'

/** The loan desk: a loan from its record to a reversed repayment, and 60 in arrears by keyboard. */

test.describe.configure({ mode: 'serial' })

let own: OwnProduct
let database: ReturnType<typeof connectTo>
let [first, second, auditor, lead, deputy]: Session[] = []

test.beforeAll(async () => {
  own = await startOwnProduct()
  database = connectTo(own)
  first = await own.person(['ADMIN'], { firstName: 'Maya', lastName: 'Lind' })
  second = await own.person(['ADMIN'], { firstName: 'David', lastName: 'Osei' })
  auditor = await own.person(['AUDITOR'])
  lead = await own.person(['SUPER_ADMIN'])
  deputy = await own.person(['SUPER_ADMIN'])
})
test.afterAll(async () => {
  await database?.close()
  await own?.remove()
})

/** Cents of a pool account, summed from the rows of transfers. */
const sumOf = async (kind: 'reserve' | 'deployed'): Promise<number> => {
  const { rows: found } = await database.pool.query(
    `SELECT sum(CASE WHEN to_account_id = a.id THEN t.amount ELSE -t.amount END)::text AS cents
     FROM accounts AS a JOIN transfers AS t ON a.id IN (from_account_id, to_account_id) WHERE a.kind = $1`,
    [kind],
  )
  return Number(found[0].cents)
}

let path = ''

test('a borrower and a loan are recorded', async ({ open }) => {
  const added = await own.command('reserve', 'add', '5000', '--note', 'Capital for loans')
  expect(added.code).toBe(0)
  const page = await open(first, '/admin?tab=loans', { at: own })
  await expect(page.getByRole('tab', { name: 'Loans (0)' })).toBeVisible()
  await expect(page.getByText('No loans yet')).toBeVisible()
  await expectAccessible(page, 'loans-empty')

  await page.getByRole('button', { name: 'Record a borrower' }).press('Enter')
  const naming = page.getByRole('dialog', { name: 'Record a borrower' })
  await naming.getByLabel('Name').fill('Ann Mason')
  await pressIn(naming, 'Record')
  await expect(naming.getByLabel('Country')).toBeFocused()
  await naming.getByLabel('Country').fill('de')
  await naming.getByLabel('Relation to the pool').selectOption('Member of staff')
  await naming.getByLabel('Grade of risk').selectOption('B')
  await naming.getByLabel('Reason for the grade').fill('Two years of accounts')
  await naming.getByRole('button', { name: 'Record' }).press('Enter')
  await expect(naming.getByText('is named by the email of the account')).toBeVisible()
  await naming.getByLabel('Relation to the pool').selectOption('None')
  await expectAccessible(page, 'borrower-dialog', '[role=dialog]')
  await naming.getByRole('button', { name: 'Record' }).press('Enter')
  await page.waitForURL(/\/admin\/borrowers\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { name: 'Ann Mason' })).toBeVisible()

  await page.getByRole('button', { name: 'Record a loan' }).press('Enter')
  const lending = page.getByRole('dialog', { name: 'Record a loan' })
  await expect(lending.getByLabel('Borrower')).toHaveValue(/[0-9a-f-]{36}/)
  await lending.getByLabel('Purpose').selectOption('Business')
  await lending.getByLabel('Amount').fill('1,200')
  await lending.getByLabel('Interest a year').fill('12')
  await lending.getByLabel('Schedule', { exact: true }).selectOption('Equal parts of the principal')
  await lending.getByLabel('Due', { exact: true }).selectOption('weekly')
  await lending.getByLabel('Planned disbursement').fill(dayFrom(-10))
  await lending.getByLabel('First instalment').fill(dayFrom(-11))
  const preview = lending.getByRole('region', { name: 'This would be owed' })
  await expect(lending.getByRole('status')).toContainText('must be due after the disbursement')
  await lending.getByLabel('First instalment').fill(dayFrom(-3))
  await expect(lending.getByRole('status')).toHaveText(
    '12.69% yearly rate, $17.94 of interest in total',
  )
  await expect(preview).toContainText('$102.76')
  await expect(preview.getByRole('row')).toHaveCount(13)
  await expectAccessible(page, 'loan-dialog', '[role=dialog]')
  const shown = await preview.locator('tbody tr').first().innerText()

  // The typed terms stay after a failure, and the next press sends them.
  await page.route('**/api/v1/admin/loans', (route) => route.abort(), { times: 1 })
  await lending.getByRole('button', { name: 'Record' }).press('Enter')
  await expect(lending.getByRole('alert')).toBeVisible()
  await expect(lending.getByLabel('Amount')).toHaveValue('1,200.00')
  await lending.getByRole('button', { name: 'Record' }).press('Enter')
  await page.waitForURL(/\/admin\/loans\/[0-9a-f-]{36}$/)
  path = new URL(page.url()).pathname
  await expect(page.getByText('Applied')).toBeVisible()
  const line = page.getByRole('table', { name: 'Planned schedule' }).getByRole('row').nth(1)
  for (const part of shown.split('\t')) await expect(line).toContainText(part.trim())
  await expectAccessible(page, 'loan-applied')
})

test('two people approve it and two disburse it', async ({ open }) => {
  const page = await open(first, path, { at: own })
  // The key is that of the button.
  await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible()
  await page.keyboard.press('a')
  const approving = page.getByRole('dialog', { name: 'Approve this loan' })
  await expect(approving).toContainText('Equal parts of the principal')
  await approving.getByRole('button', { name: 'Approve' }).press('Enter')
  await expect(approving.getByText('Please give a reason')).toBeVisible()
  await approving.getByLabel('Reason').fill('Vetted')
  await approving.getByRole('button', { name: 'Approve' }).press('Enter')
  await expect(page.getByText('Asked for. Another member of staff decides.')).toBeVisible()
  await expect(page.getByText('Waits for a second person')).toBeVisible()
  const off = page.getByRole('main').getByRole('button', { name: 'Approve' })
  await expect(off).toHaveAccessibleDescription('A second person decides first.')

  const other = await open(second, '/admin', { at: own })
  await approveByKeys(other, /^Approve the loan of \$1,200\.00 to Ann Mason/)
  // The change shows on the open page of the first person.
  await expect(page.getByText('Approved', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('Waits for a second person')).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // No loan is paid out before its approval, which was eleven days ago.
  await tamper(
    database,
    "UPDATE proposals SET asked_at = asked_at - interval '11 days', decided_at = decided_at - interval '11 days' WHERE kind = 'APPROVE_LOAN'",
  )
  const [reserve, deployed] = [await sumOf('reserve'), await sumOf('deployed')]
  await page.getByRole('button', { name: 'Disburse' }).press('Enter')
  const paying = page.getByRole('dialog', { name: 'Disburse this loan' })
  await paying.getByLabel('Network').selectOption('Bitcoin (BTC)')
  await paying.getByLabel('On-chain transaction ID').fill('nothing')
  await paying.getByLabel('Day of the payment').fill(dayFrom(-10))
  await paying.getByRole('button', { name: 'Ask to disburse' }).press('Enter')
  await expect(paying.getByRole('alert')).toBeVisible()
  const evidence = late.transaction()
  await paying.getByLabel('On-chain transaction ID').fill(evidence)
  await expectAccessible(page, 'loan-disburse', '[role=dialog]')
  await paying.getByRole('button', { name: 'Ask to disburse' }).press('Enter')
  await expect(page.getByText('Waits for a second person')).toBeVisible()
  await expectAccessible(page, 'loan-waits')

  await other.goto('/admin')
  await approveByKeys(other, /^Disburse \$1,200\.00 to Ann Mason, .* on Bitcoin/)
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(loanFacts(page, 'Past due')).toContainText('3 days · $102.76')
  await expect(page.getByRole('link', { name: evidence })).toBeVisible()
  expect(await sumOf('reserve')).toBe(reserve - 120_000)
  expect(await sumOf('deployed')).toBe(deployed + 120_000)
  await expect(page.getByRole('list', { name: 'History' }).getByRole('listitem')).toHaveCount(3)
  await expectAccessible(page, 'loan-active')
})

test('a repayment on a phone feeds the reserve', async ({ open }) => {
  const [reserve, deployed] = [await sumOf('reserve'), await sumOf('deployed')]
  const page = await open(second, `${path}?lang=es`, { at: own, viewport: PHONE })
  await page.getByRole('button', { name: 'Registrar un pago' }).click()
  const dialog = page.getByRole('dialog', { name: 'Registrar un pago' })
  await expect(dialog.getByText('Primero se paga el interés')).toBeVisible()
  await dialog.getByLabel('Importe', { exact: true }).fill('900')
  await dialog.getByLabel('Referencia').fill('R-1')
  const record = dialog.getByRole('button', { name: 'Registrar', exact: true })
  await expect(record).not.toHaveAttribute('aria-disabled', 'true')
  await record.click()
  await expect(dialog.getByText('se deben como máximo $205.29')).toBeVisible()
  await dialog.getByRole('button', { name: 'Vencido hasta entonces: $102.76' }).click()
  await expect(
    dialog.getByText('Paga $2.76 de interés y $100.00 de principal, de la cuota #1.'),
  ).toBeVisible()
  await expectAccessible(page, 'loan-repay-es', '[role=dialog]')

  // The server is away: the text stays, and the repeat counts once.
  await page.route('**/repayments', (route) => route.abort(), { times: 1 })
  await record.click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(dialog.getByLabel('Referencia')).toHaveValue('R-1')
  await record.click()
  await expect(page.getByText('$102.76 registrados.')).toBeVisible()
  const made = page.getByRole('list', { name: 'Pagos' }).getByRole('listitem')
  await expect(made).toHaveCount(1)
  await expectAccessible(page, 'loan-repaid-es')

  expect(await sumOf('reserve')).toBe(reserve + 10_276)
  expect(await sumOf('deployed')).toBe(deployed - 10_000)
  const { rows: interest } = await database.pool.query(
    "SELECT sum(amount)::text AS cents FROM transfers WHERE movement = 'loan_interest_received'",
  )
  // The reserve and the capital at work grew by the interest alone, to the cent.
  expect(Number(interest[0].cents)).toBe(276)
  expect((await sumOf('reserve')) + (await sumOf('deployed'))).toBe(10_500_000 + 276)
})

test('a repayment is reversed with a reason', async ({ open }) => {
  const reserve = await sumOf('reserve')
  const page = await open(first, path, { at: own })
  await page.getByRole('button', { name: 'Reverse the repayment R-1' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Reverse a repayment' })
  await dialog.getByRole('button', { name: 'Reverse' }).press('Enter')
  await expect(dialog.getByText('Please give a reason')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Typed twice')
  await dialog.getByRole('button', { name: 'Reverse' }).press('Enter')
  const made = page.getByRole('list', { name: 'Repayments' }).getByRole('listitem')
  await expect(made).toContainText('Typed twice')
  await expect(page.getByRole('button', { name: /^Reverse the repayment/ })).toHaveCount(0)
  await expect(loanFacts(page, 'Past due')).toContainText('3 days · $102.76')
  expect(await sumOf('reserve')).toBe(reserve - 10_276)
  await expectAccessible(page, 'loan-reversed')
})

const IN_ARREARS = 60

test('loans in arrears are worked through by keyboard', async ({ open }) => {
  await late.lendToMany(own, [first as Session, second as Session], IN_ARREARS)
  const page = await open(first, '/admin?tab=loans', { at: own })
  await expect(page.getByRole('tab', { name: `Loans (${IN_ARREARS + 1})` })).toBeVisible()
  await expect(rows(page, 'Ben Ortiz').first()).toContainText('122 days')
  await expectAccessible(page, 'loans')
  await page.getByRole('button', { name: 'Filters' }).last().press('Enter')
  await page.getByLabel('61–90 days').check()
  await page.getByLabel('Over 90 days').check()
  await page.keyboard.press('Escape')
  // 61 to 122 days past due, each second day.
  await expect(page.getByRole('tab', { name: 'Loans (31)' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove the filter Days past due' }).press('Enter')

  await page.goto('/admin?tab=loans&loans-status=ACTIVE&loans-size=25')
  await settled(page)
  const panel = page.getByRole('tabpanel', { name: /^Loans/ })
  const links = panel.getByRole('table').getByRole('link')
  await expect(links).toHaveCount(25)
  await panel.getByRole('region').focus()
  await page.keyboard.press('ArrowDown')
  for (let row = 0; row < 24; row++) {
    await expect(links.nth(row)).toBeFocused()
    await page.keyboard.press('j')
  }
  // Over the edge of the page, and back.
  await expect(links.nth(24)).toBeFocused()
  await page.keyboard.press('j')
  await expect(panel.getByText('26–50 of 61')).toBeVisible()
  await expect(links.nth(0)).toBeFocused()
  await page.keyboard.press('k')
  await expect(panel.getByText('1–25 of 61')).toBeVisible()
  await expect(links.nth(24)).toBeFocused()
  await page.keyboard.press('j')
  await expect(panel.getByText('26–50 of 61')).toBeVisible()
  await expect(links.nth(0)).toBeFocused()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/admin\/loans\/[0-9a-f-]{36}$/)
  const total = IN_ARREARS + 1
  for (const place of [26, 25]) {
    await expect(page.getByText(`${place} of ${total}`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Record a repayment' })).toBeVisible()
    await page.keyboard.press('k')
  }
  for (let place = 24; place <= total; place++) {
    await expect(page.getByText(`${place} of ${total}`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Record a repayment' })).toBeVisible()
    if (place === 27) {
      await page.keyboard.press('a')
      const dialog = page.getByRole('dialog', { name: 'Record a repayment' })
      await dialog.getByLabel('Amount', { exact: true }).fill('1')
      await dialog.getByLabel('Reference').fill('by keys')
      const record = dialog.getByRole('button', { name: 'Record', exact: true })
      await expect(record).not.toHaveAttribute('aria-disabled', 'true')
      await page.keyboard.press('Enter')
      await expect(dialog).toBeHidden()
      await expect(page.getByRole('list', { name: 'Repayments' })).toContainText('by keys')
    }
    await page.keyboard.press('j')
  }
  await expectAccessible(page, 'loan-last')
  await page.getByRole('link', { name: 'All loans' }).press('Enter')
  await expect(page).toHaveURL(/loans-status=ACTIVE/)
})

test('an auditor reads loans and is shown nothing that writes', async ({ open }) => {
  const page = await open(auditor, '/admin?tab=loans&loans-search=ann', { at: own })
  await expect(rows(page, 'Ann Mason')).toContainText('$1,200.00')
  const writes = page.getByRole('main').getByRole('button', {
    name: /^(record |reverse|approve|default|pay off|new |add |withdraw |write an )/i,
  })
  await expect(writes).toHaveCount(0)
  await rows(page, 'Ann Mason').getByRole('link').press('Enter')
  await expect(page.getByText('Typed twice')).toBeVisible()
  await expect(writes).toHaveCount(0)
  await page.keyboard.press('a')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('link', { name: 'Ann Mason' }).press('Enter')
  await expect(page.getByText('Two years of accounts').first()).toBeVisible()
  await expect(writes).toHaveCount(0)
  await expectAccessible(page, 'borrower')
  await page.getByRole('link', { name: 'All borrowers' }).press('Enter')
  await expect(rows(page, 'Ben Ortiz')).toBeVisible()
  await expect(writes).toHaveCount(0)
  await expectAccessible(page, 'borrowers')
})

test('a loan that is not there says so in Spanish', async ({ open }) => {
  const none = '/admin/loans/00000000-0000-7000-8000-000000000000?lang=es'
  const page = await open(first, none, { at: own })
  await expect(page.getByText('No existe ese préstamo')).toBeVisible()
  await page.goto('/admin?tab=loans&loans-search=ann')
  await expect(rows(page, 'Ann Mason')).toContainText('Activo')
  await expectAccessible(page, 'loans-es')
})

test('a late loan is written off and partly recovered', async ({ open }) => {
  const page = await open(first, path, { at: own })
  await late.askDefault(page)
  const other = await open(second, '/admin', { at: own })
  await approveByKeys(other, /^Put the loan to Ann Mason in default/)
  await expect(page.getByText('In default', { exact: true }).first()).toBeVisible()
  await expect(loanFacts(page, 'Owed then')).toContainText('$1,203.84')
  const off = page.getByRole('button', { name: 'Write off', exact: true })
  await expect(off).toHaveAccessibleDescription(/^A super admin asks for it/)
  await page.keyboard.press('a')
  const repaying = page.getByRole('dialog', { name: 'Record a repayment' })
  await expect(repaying).toContainText('all principal is due, and interest has stopped')
  await expect(repaying.getByRole('button', { name: 'All that is owed: $1,203.84' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expectAccessible(page, 'loan-default')

  const [reserve, deployed] = [await sumOf('reserve'), await sumOf('deployed')]
  const leading = await open(lead, path, { at: own })
  await late.askWriteOff(leading)
  const deciding = await open(deputy, '/admin', { at: own })
  await approveByKeys(deciding, /^Write off \$1,200\.00 of the loan to Ann Mason/)
  await expect(page.getByText('Written off', { exact: true }).first()).toBeVisible()
  expect(await sumOf('deployed')).toBe(deployed - 120_000)
  await late.askRecovery(page)
  expect(await sumOf('reserve')).toBe(reserve)
  const agreeing = await open(second, '/admin', { at: own })
  await approveByKeys(agreeing, /^Record \$100\.00 that came back of the loan to Ann Mason/)
  await late.seeRecovery(page)
  expect(await sumOf('reserve')).toBe(reserve + 10_000)
})

test('new terms keep the old schedule and are paid off', async ({ open }) => {
  const { rows: found } = await database.pool.query(
    "SELECT id FROM loans WHERE status = 'ACTIVE' ORDER BY created_at LIMIT 1",
  )
  const one = `/admin/loans/${found[0].id}`
  const page = await open(first, one, { at: own })
  const shown = await late.askNewTerms(page)
  const other = await open(second, '/admin', { at: own })
  await approveByKeys(other, /^New terms for the loan to Ben Ortiz/)
  const table = page.getByRole('table', { name: 'Schedule', exact: true })
  await expect(table.getByRole('row')).toHaveCount(5)
  for (const part of shown) await expect(table.getByRole('row').nth(1)).toContainText(part)
  await page.getByText('The schedule before: 12 instalments').click()
  await expect(
    page.getByRole('table', { name: /^The schedule before/ }).getByRole('row'),
  ).toHaveCount(13)
  await expect(page.getByText('Fewer orders')).toBeVisible()
  await expectAccessible(page, 'loan-terms')

  const reserve = (await sumOf('reserve')) + (await sumOf('deployed'))
  const phone = await open(second, `${one}?lang=es`, { at: own, viewport: PHONE })
  await late.payOff(phone)
  expect((await sumOf('reserve')) + (await sumOf('deployed'))).toBeGreaterThan(reserve)
})

test('a file with a bad line writes nothing', async ({ open }) => {
  const { rows: found } = await database.pool.query(
    "SELECT id FROM loans WHERE status = 'ACTIVE' ORDER BY created_at LIMIT 1",
  )
  const count = async () => (await database.pool.query('SELECT FROM loan_repayments')).rowCount
  const before = await count()
  const page = await open(first, '/admin?tab=loans', { at: own })
  await late.importRepayments(page, found[0].id)
  expect(await count()).toBe((before ?? 0) + 1)
})

test('an application is closed and its borrower corrected', async ({ open }) => {
  const { rows: found } = await database.pool.query(
    "SELECT borrower_id AS id FROM loans WHERE status = 'ACTIVE' LIMIT 1",
  )
  const { id } = await own.call(loans.recordLoan, first as Session, {
    ...late.weekly,
    borrowerId: found[0].id,
    purpose: 'other',
    amount: 50,
    dueDay: 1,
    disburseOn: dayFrom(0),
    firstDueOn: dayFrom(7),
  })
  const page = await open(first, `/admin/loans/${id}`, { at: own })
  await late.closeAndCorrect(page)
})
