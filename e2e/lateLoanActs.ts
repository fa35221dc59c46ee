/** The acts of a loan that is not repaid as agreed, each by the person who may take it. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { approveOpenProposal } from '@pool/contract/agreements/staffProposals'
import { recordBorrower } from '@pool/contract/lending/borrowers'
import { loanDay } from '@pool/contract/lending/loanDays'
import * as loans from '@pool/contract/lending/loans'
import { dayFrom } from '../server/testing/loans.ts'
import type { OwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'
import { expectAccessible } from './steps.ts'

export const transaction = () => randomBytes(32).toString('hex')

export const weekly = {
  rateBasisPoints: 1_200,
  schedule: 'equalPrincipal',
  period: 'weekly',
  dayCount: 'act365',
  instalments: 12,
} as const

export const loanFacts = (page: Page, name: string) =>
  page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) })

/** Decides about the first waiting line of the queue with the keys of the queue. */
export const approveByKeys = async (page: Page, words: RegExp) => {
  const queue = page.getByRole('region', { name: 'Waiting for a decision' })
  await expect(queue.getByRole('button', { name: words })).toBeVisible()
  await page.keyboard.press('j')
  const panel = queue.getByRole('region', { name: words })
  await expect(panel.getByText('Equal parts of the principal').first()).toBeVisible()
  await expectAccessible(page, `queue-${words.source.slice(1, 8)}`)
  // Keys are dead for a second after rows moved, so one is pressed until it counts.
  await expect(async () => {
    await page.keyboard.press('a')
    await expect(page.getByText('Nothing to decide.')).toBeVisible({ timeout: 3_000 })
  }).toPass()
}

/** Asks for a step of two in its dialog, with a reason. */
const askWithReason = async (page: Page, step: string, title: string, reason: string) => {
  await page.getByRole('button', { name: step, exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByRole('button', { name: /^Ask/ }).press('Enter')
  await expect(dialog.getByText('Please give a reason')).toBeVisible()
  await dialog.getByRole('textbox').fill(reason)
  await expectAccessible(page, `loan-${step.toLowerCase().replaceAll(' ', '-')}`, '[role=dialog]')
  await dialog.getByRole('button', { name: /^Ask/ }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Waits for a second person')).toBeVisible()
}

export const askDefault = async (page: Page) => {
  await expect(page.getByRole('button', { name: 'Record a repayment' })).toBeVisible()
  await askWithReason(page, 'Default', 'Put this loan in default', 'Out of business')
  // Only what waits is off, with its reason beside it.
  const off = page.getByRole('main').getByRole('button', { name: 'Default', exact: true })
  await expect(off).toHaveAttribute('aria-disabled', 'true')
  await expect(off).toHaveAccessibleDescription('A second person decides first.')
  const others = page.getByRole('main').getByRole('button', { name: 'New terms' })
  await expect(others).not.toHaveAttribute('aria-disabled')
}

export const askWriteOff = async (page: Page) => {
  await askWithReason(page, 'Write off', 'Write off this loan', 'Nothing is left')
}

export const askRecovery = async (page: Page) => {
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name: 'Record a recovery' })
  await dialog.getByLabel('Amount', { exact: true }).fill('5,000')
  await dialog.getByLabel('Reference').fill('Sold van')
  const record = dialog.getByRole('button', { name: 'Ask for approval', exact: true })
  await expect(record).not.toHaveAttribute('aria-disabled', 'true')
  await record.press('Enter')
  await expect(
    dialog.getByText('At most $1,200.00 of the loss can still be recovered'),
  ).toBeVisible()
  await dialog.getByLabel('Amount', { exact: true }).fill('100')
  await expectAccessible(page, 'loan-recover', '[role=dialog]')
  await record.press('Enter')
  await expect(dialog).toBeHidden()
}

export const seeRecovery = async (page: Page) => {
  await expect(loanFacts(page, 'Recovered of it')).toContainText('$100.00')
  await expect(page.getByRole('list', { name: 'Repayments' })).toContainText('Sold van')
  await expectAccessible(page, 'loan-written-off')
}

/** New terms, whose schedule and yearly rate show while they are typed. */
export const askNewTerms = async (page: Page) => {
  await page.getByRole('button', { name: 'New terms', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New terms' })
  await dialog.getByLabel('Interest a year').fill('6')
  await dialog.getByLabel('Instalments').fill('4')
  await dialog.getByLabel('First instalment').fill(dayFrom(0))
  await expect(dialog.getByRole('status')).toContainText('must be due after')
  await dialog.getByLabel('First instalment').fill(dayFrom(7))
  await expect(dialog.getByRole('status')).toContainText('yearly rate')
  const preview = dialog.getByRole('region', { name: 'This would be owed' })
  await expect(preview.getByRole('row')).toHaveCount(5)
  await dialog.getByLabel('The borrower could not have kept the old terms').check()
  await dialog.getByLabel('Reason').fill('Fewer orders')
  await expectAccessible(page, 'loan-new-terms', '[role=dialog]')
  const first = await preview.locator('tbody tr').first().innerText()
  await dialog.getByRole('button', { name: 'Ask for new terms' }).press('Enter')
  await expect(page.getByText('Waits for a second person')).toBeVisible()
  return first.split('\t').map((cell) => cell.trim())
}

/** The payment that ends a loan, whose amount is told before the press. */
export const payOff = async (page: Page) => {
  await page.getByRole('button', { name: 'Liquidar del todo' }).click()
  const dialog = page.getByRole('dialog', { name: 'Liquidar del todo' })
  await expect(dialog.getByRole('status').filter({ hasText: 'de principal' })).toBeVisible()
  const submit = dialog.getByRole('button', { name: /^Registrar \$/ })
  const told = (await submit.innerText()).replace('Registrar ', '')
  await dialog.getByLabel('Referencia').fill('Last one')
  await expectAccessible(page, 'loan-payoff-es', '[role=dialog]')
  await expect(submit).not.toHaveAttribute('aria-disabled', 'true')
  await submit.click()
  await expect(page.getByText(`${told} registrados. El préstamo está devuelto.`)).toBeVisible()
  await expect(page.getByText('Devuelto', { exact: true })).toBeVisible()
  await expectAccessible(page, 'loan-repaid-whole-es')
}

/** Imports a file of repayments: a bad line is named and nothing written, then a good one goes. */
export const importRepayments = async (page: Page, loanId: string) => {
  const heading = 'loan_id,amount,value_on,reference'
  const good = `${loanId},10,${dayFrom(0)},File 1`
  await page.getByRole('button', { name: 'CSV files' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'CSV files' })
  await expect(dialog.getByLabel('Import of')).toBeFocused()
  const choose = async (...lines: readonly string[]) => {
    const choosing = page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name: 'Choose a file', exact: true }).press('Enter')
    const buffer = Buffer.from([heading, ...lines].join('\r\n'))
    await (await choosing).setFiles({ name: 'repayments.csv', mimeType: 'text/csv', buffer })
  }
  await choose(good, `${loanId},10,${dayFrom(3)},File 2`, `${loanId},ten,${dayFrom(0)},File 3`)
  await expect(dialog.getByText('2 lines have errors. Nothing is written.')).toBeVisible()
  const bad = dialog.getByRole('table', { name: 'Lines with errors' }).getByRole('row')
  await expect(bad.nth(1)).toContainText('3')
  await expect(bad.nth(1)).toContainText('arrives between the disbursement and today')
  await expect(bad.nth(2)).toContainText('4')
  await expect(dialog.getByRole('button', { name: 'Fix the file first' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await expectAccessible(page, 'loan-files', '[role=dialog]')
  await choose(good)
  await expect(dialog.getByText('1 line can be imported. Nothing is written yet.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Import 1 line' }).press('Enter')
  await expect(page.getByText('1 line recorded.')).toBeVisible()

  await page.getByRole('button', { name: 'CSV files' }).press('Enter')
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Repayments', exact: true }).press('Enter')
  const saved = await saving
  expect(saved.suggestedFilename()).toMatch(/^repayments-.*\.csv$/)
  expect(await readFile(await saved.path(), 'utf8')).toContain(`,File 1,`)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

/** Closes an application, and corrects its borrower, from the page of the loan. */
export const closeAndCorrect = async (page: Page) => {
  await page.getByRole('button', { name: 'Close', exact: true }).press('Enter')
  const closing = page.getByRole('dialog', { name: 'Close this application' })
  await closing.getByLabel('Outcome').selectOption('Declined by the pool')
  await closing.getByLabel('Reason').fill('No collateral')
  await expectAccessible(page, 'loan-close', '[role=dialog]')
  await closing.getByRole('button', { name: 'Close the application' }).press('Enter')
  await expect(page.getByText('Declined', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('No collateral').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Close', exact: true })).toHaveCount(0)

  await page.getByRole('link', { name: 'Ben Ortiz' }).press('Enter')
  await page.getByRole('button', { name: 'Correct the record' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Correct the record' })
  await expect(dialog.getByLabel('Name')).toHaveValue('Ben Ortiz')
  await dialog.getByLabel('Name').fill('Ben Ortiz Vega')
  await dialog.getByRole('button', { name: 'Correct', exact: true }).press('Enter')
  await expect(dialog.getByText('Please give a reason')).toBeVisible()
  await dialog.getByLabel('Reason for the correction').fill('As in the register')
  await expectAccessible(page, 'borrower-correct', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Correct', exact: true }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Ben Ortiz Vega' })).toBeVisible()
  await page.getByRole('link', { name: 'Every version in the audit trail' }).press('Enter')
  await expect(page.getByText('As in the register')).toBeVisible()
  await expect(page.getByRole('row', { name: /Borrower recorded/ })).toBeVisible()
}

/** Lends to many, whose first instalment is some days past due. */
export const lendToMany = async (
  own: OwnProduct,
  [admin, second]: readonly [Session, Session],
  most: number,
) => {
  const { id: borrowerId } = await own.call(recordBorrower, admin, {
    name: 'Ben Ortiz',
    country: 'ES',
    kind: 'company',
    relation: 'operator',
    grade: 'C',
    gradeReason: 'One year of accounts',
  })
  for (let count = 0; count < most; count++) {
    const [disburseOn, firstDueOn] = [dayFrom(-11 - 2 * count), dayFrom(-4 - 2 * count)]
    const dueDay = Number(loanDay(firstDueOn)?.on.slice(8))
    const { id } = await own.call(loans.recordLoan, admin, {
      ...weekly,
      borrowerId,
      purpose: 'other',
      amount: 100 + count,
      dueDay,
      disburseOn,
      firstDueOn,
      takenOverOn: dayFrom(0),
    })
    const approval = await own.call(loans.askLoanApproval, admin, { reason: 'Vetted' }, { id })
    await own.call(approveOpenProposal, second, undefined, { id: approval.proposalId })
    const paid = { networkName: 'Bitcoin', evidence: transaction(), disbursedOn: disburseOn }
    const asked = await own.call(loans.askDisbursement, admin, paid, { id })
    await own.call(approveOpenProposal, second, undefined, { id: asked.proposalId })
  }
}
