import { createHash } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import * as borrowers from '@pool/contract/lending/borrowers'
import { importLoanFile } from '@pool/contract/lending/loanFiles'
import { recordLoan } from '@pool/contract/lending/loans'
import { dayFrom } from '../server/testing/loans.ts'
import { test } from './fixtures.ts'
import { weekly } from './lateLoanActs.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import { PASSWORD, type Session } from './people.ts'
import { expectAccessible, rows } from './steps.ts'
import { PHONE } from './widths.ts'

/** Collateral, documents, updates, grades, and the list of borrowers. */

test.describe.configure({ mode: 'serial' })

let own: OwnProduct
let [staff, other, auditor, lead]: Session[] = []
let [borrowerId, loanId] = ['', '']

test.beforeAll(async () => {
  own = await startOwnProduct()
  staff = await own.person(['ADMIN'])
  other = await own.person(['ADMIN'])
  auditor = await own.person(['AUDITOR'])
  lead = await own.person(['SUPER_ADMIN'])
  const ann = { name: 'Ann Mason', country: 'DE', kind: 'person', relation: 'none' } as const
  const graded = { grade: 'B', gradeReason: 'Two years of accounts' } as const
  borrowerId = (await own.call(borrowers.recordBorrower, staff, { ...ann, ...graded })).id
  loanId = (
    await own.call(recordLoan, staff, {
      ...weekly,
      borrowerId,
      purpose: 'home',
      amount: 500,
      dueDay: 1,
      disburseOn: dayFrom(0),
      firstDueOn: dayFrom(7),
    })
  ).id
})
test.afterAll(() => own?.remove())

const list = (page: Page, name: string) => page.getByRole('list', { name, exact: true })

/** Chooses a file whose SHA-256 the browser computes, and returns the digest. */
const chooseFile = async (page: Page, button: string): Promise<string> => {
  const buffer = Buffer.from('Deed of the house, page 1')
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button, exact: true }).press('Enter')
  await (await choosing).setFiles({ name: 'deed.txt', mimeType: 'text/plain', buffer })
  return createHash('sha256').update(buffer).digest('hex')
}

test('collateral and documents are added and withdrawn', async ({ open }) => {
  const page = await open(staff as Session, `/admin/loans/${loanId}`, { at: own })
  await expect(page.getByText('No collateral')).toBeVisible()
  await page.getByRole('button', { name: 'Add collateral' }).press('Enter')
  const securing = page.getByRole('dialog', { name: 'Add collateral' })
  await securing.getByLabel('Description').fill('A house in Graz')
  await securing.getByLabel('Value', { exact: true }).fill('9,000.50')
  await securing.getByLabel('Day of this value').fill(dayFrom(3))
  await securing.getByRole('button', { name: 'Add' }).press('Enter')
  await expect(securing.getByText('not in the future')).toBeVisible()
  await securing.getByLabel('Day of this value').fill(dayFrom(-3))
  await expectAccessible(page, 'collateral-dialog', '[role=dialog]')
  await securing.getByRole('button', { name: 'Add' }).press('Enter')
  await expect(list(page, 'Collateral')).toContainText('$9,000.50')
  await expect(list(page, 'Collateral')).toContainText((staff as Session).username)

  await page.getByRole('button', { name: 'Add a document' }).press('Enter')
  const filing = page.getByRole('dialog', { name: 'Add a document' })
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.postData() ?? ''))
  const digest = await chooseFile(page, 'Choose a file')
  await expect(filing.getByLabel('SHA-256 of the file')).toHaveValue(digest)
  await expect(filing.getByLabel('Title')).toHaveValue('deed.txt')
  await filing.getByLabel('Link to the file').fill('http://files.example.com/deed')
  await filing.getByRole('button', { name: 'Add' }).press('Enter')
  await expect(filing.getByText('a link that begins with https://')).toBeVisible()
  await filing.getByLabel('Link to the file').fill('https://files.example.com/deed')
  await expectAccessible(page, 'document-dialog', '[role=dialog]')
  await filing.getByRole('button', { name: 'Add' }).press('Enter')
  const documents = list(page, 'Documents')
  await expect(documents).toContainText(digest)
  // The file itself stayed in the browser.
  expect(sent.filter((body) => body.includes('page 1'))).toEqual([])
  const link = documents.getByRole('link', { name: 'deed.txt' })
  await expect(link).toHaveAttribute('href', 'https://files.example.com/deed')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  await expect(link).toHaveAttribute('target', '_blank')

  await documents.getByRole('button', { name: 'Withdraw the document deed.txt' }).press('Enter')
  const ending = page.getByRole('dialog', { name: 'Withdraw a document' })
  await ending.getByLabel('Reason').fill('Another house')
  await ending.getByRole('button', { name: 'Withdraw' }).press('Enter')
  await expect(documents).toContainText('Another house')
  await expect(documents.getByRole('button')).toHaveCount(0)
})

test('an update tells its age and stays', async ({ open }) => {
  const page = await open(other as Session, `/admin/loans/${loanId}`, { at: own, viewport: PHONE })
  await expect(page.getByText('Last update: None yet')).toBeVisible()
  await page.getByRole('button', { name: 'Write an update' }).press('Enter')
  const writing = page.getByRole('dialog', { name: 'Write an update' })
  await writing.getByLabel('Update', { exact: true }).fill('Called.\nThey <b>pay</b> on Friday.')
  await writing.getByRole('button', { name: 'Write' }).press('Enter')
  await expect(list(page, 'Updates')).toContainText('They <b>pay</b> on Friday.')
  await expect(page.getByText(/^Last update: (now|\d+ seconds? ago)/)).toBeVisible()
  await expect(list(page, 'History')).toContainText('Update written')
  await expectAccessible(page, 'loan-records')
  const desk = await open(auditor as Session, '/admin?tab=loans', { at: own })
  await expect(rows(desk, 'Ann Mason')).toContainText(/now|ago/)
  await rows(desk, 'Ann Mason').getByRole('link').press('Enter')
  await expect(list(desk, 'Collateral')).toContainText('A house in Graz')
  const writes = desk.getByRole('main').getByRole('button', { name: /^(add |withdraw|write )/i })
  await expect(writes).toHaveCount(0)
})

test('each grade of a borrower stays on the page', async ({ open }) => {
  const page = await open(other as Session, `/admin/borrowers/${borrowerId}`, { at: own })
  await page.getByRole('button', { name: 'Correct the record' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Correct the record' })
  await dialog.getByLabel('Grade of risk').selectOption('D')
  await dialog.getByLabel('Reason for the grade').fill('A late year')
  await dialog.getByLabel('Reason for the correction').fill('News of the bank')
  await dialog.getByRole('button', { name: 'Correct' }).press('Enter')
  const grades = list(page, 'Grades').getByRole('listitem')
  await expect(grades.nth(0)).toContainText('Grade D')
  await expect(grades.nth(0)).toContainText((other as Session).username)
  await expect(grades.nth(1)).toContainText('Two years of accounts')
  await expect(grades.nth(1)).toContainText((staff as Session).username)
  await expectAccessible(page, 'borrower-grades')
})

test('many borrowers are paged, searched and chosen', async ({ open }) => {
  const lines = Array.from(
    { length: 60 },
    (_, index) => `Firm ${100 + index},AT,company,none,,C,New`,
  )
  const csv = ['name,country,kind,relation,user_email,grade,grade_reason', ...lines].join('\n')
  const imported = await own.call(
    importLoanFile,
    staff as Session,
    { csv, dryRun: false },
    { kind: 'borrowers' },
  )
  expect(imported.recorded).toBe(60)
  const page = await open(staff as Session, '/admin/borrowers', { at: own })
  await expect(rows(page, 'Firm 159')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search name or ID' }).fill('firm 103')
  await expect(rows(page, 'Firm 103')).toBeVisible()
  await expect(rows(page, 'Firm 159')).toHaveCount(0)
  await expectAccessible(page, 'borrowers-many')

  await page.goto('/admin?tab=loans')
  await page.getByRole('button', { name: 'Record a loan' }).press('Enter')
  const lending = page.getByRole('dialog', { name: 'Record a loan' })
  await expect(lending.getByText('61 borrowers: type a part of the name.')).toBeVisible()
  await lending.getByLabel('Find a borrower').fill('firm 158')
  await expect(lending.getByText('1 borrower: type a part of the name.')).toBeVisible()
  const choice = lending.getByLabel('Borrower', { exact: true })
  await choice.selectOption('Firm 158')
  // The choice stays among others that are found later.
  await lending.getByLabel('Find a borrower').fill('firm 10')
  await expect(lending.getByText('10 borrowers: type a part of the name.')).toBeVisible()
  await expect(choice.locator('option:checked')).toHaveText('Firm 158')
  await expectAccessible(page, 'loan-many-borrowers', '[role=dialog]')
})

test('bad lines are told in Spanish', async ({ open }) => {
  const page = await open(staff as Session, '/admin?tab=loans&lang=es', { at: own })
  await page.getByRole('button', { name: 'Archivos CSV' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Archivos CSV' })
  await dialog.getByRole('combobox').selectOption('loans')
  const heading =
    'borrower,purpose,amount,rate_basis_points,schedule,period,day_count,instalments,due_day,disburse_on,first_due_on,collateral'
  const rest = '1200,annuity,monthly,30e360,12,15,2026-01-15,2026-02-15'
  const lines = [`Nadie,business,1,${rest},`, `Firm 100,business,-1,${rest},`]
  lines.push(`Firm 100,business,1200,${rest},Casa`, 'Firm 100')
  const choosing = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Elegir un archivo', exact: true }).press('Enter')
  const buffer = Buffer.from([heading, ...lines].join('\r\n'))
  await (await choosing).setFiles({ name: 'loans.csv', mimeType: 'text/csv', buffer })
  const bad = dialog.getByRole('table').getByRole('row')
  await expect(bad).toHaveCount(5)
  await expect(bad.nth(1)).toContainText('borrower: Prestatario no encontrado.')
  await expect(bad.nth(2)).toContainText('amount: ')
  await expect(bad.nth(3)).toContainText('Una garantía tiene un texto, un valor y el día')
  await expect(bad.nth(4)).toContainText('Tiene 1 celdas, no 12.')
  await expectAccessible(page, 'loan-files-es', '[role=dialog]')
})

test('the draft of a plan returns after its session', async ({ open }) => {
  const page = await open(lead as Session, undefined, { at: own, own: {} })
  await page.clock.install()
  await page.goto('/admin/plans')
  await page.getByRole('button', { name: 'New plan' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Ask for a new plan' })
  await dialog.getByLabel('Days', { exact: true }).fill('90')
  await dialog.getByLabel('Reason').fill('Longer terms')
  await page.clock.fastForward('02:40')
  await page.clock.fastForward('00:30')
  await expect(page).toHaveURL('/login')
  await page.getByLabel('Email').fill((lead as Session).username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).not.toHaveURL('/login')
  await page.goto('/admin/plans')
  await expect(dialog.getByLabel('Days', { exact: true })).toHaveValue('90')
  await expect(dialog.getByLabel('Reason')).toHaveValue('Longer terms')
})
