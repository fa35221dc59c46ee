import { expect, type Locator, type Page } from '@playwright/test'
import { deposit } from '@pool/contract/requests/requests'
import { balance } from '@pool/contract/requests/transactions'
import { violations } from './axe.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'
import { newWallet } from './prepare.ts'
import { settled } from './steps.ts'

/** Deposits that differ from what was asked, in the queue of an own product. */

test.describe.configure({ mode: 'serial' })

let own: OwnProduct
let admin: Session

test.beforeAll(async () => {
  own = await startOwnProduct()
  admin = await own.superAdmin()
})
test.afterAll(() => own?.remove())

const asked = async (amount: number) => {
  await newWallet(own, admin)
  const investor = await own.person()
  const { userId } = investor
  const { transactionId } = await own.call(deposit, investor, { userId, amount })
  return { investor, transactionId }
}

const queueOf = (page: Page) => page.getByRole('region', { name: 'Waiting for a decision' })
const panelOf = (page: Page) => queueOf(page).getByRole('region', { name: / · / })
const lineOf = (page: Page, { username }: Session) =>
  queueOf(page)
    .getByRole('list', { name: /^Waiting requests/ })
    .getByRole('listitem')
    .filter({ hasText: username })

/** The queue with this investor's request open. */
const opened = async (page: Page, investor: Session) => {
  await page.goto('/admin')
  await settled(page)
  await lineOf(page, investor).getByRole('button').click()
  const approve = panelOf(page).getByRole('button', { name: 'Approve', exact: true })
  await expect(approve).toBeVisible()
  await expect(approve).not.toHaveAttribute('aria-disabled')
}

test('a deposit is rejected with a reason its investor reads', async ({ open }) => {
  const { investor, transactionId } = await asked(40)
  const page = await open(admin, undefined, { at: own })
  await opened(page, investor)
  await page.keyboard.press('r')
  const reason = panelOf(page).getByRole('textbox')
  await expect(reason).toBeFocused()
  const reject = panelOf(page).getByRole('button', { name: 'Reject', exact: true })
  await panelOf(page).getByRole('button', { name: 'No payment has arrived' }).click()
  await expect(reason).toBeFocused()
  await reject.click()
  await expect(lineOf(page, investor)).toContainText('REJECTED')
  await expect(page.getByText(`Deposit of $40.00 by ${investor.username} rejected.`)).toBeVisible()
  // The row of the table offers its decision of old only.
  await expect(page.getByRole('button', { name: 'Reject Withdrawal' })).toHaveCount(0)

  const theirs = await open(investor, `/dashboard?transaction=${transactionId}`, { at: own })
  const story = theirs.getByRole('dialog', { name: 'Deposit' })
  await expect(story).toContainText('REJECTED')
  await expect(story).toContainText('No payment has arrived at this address.')
})

const balanceOf = (investor: Session) => own.call(balance, investor, { userId: investor.userId })

const fields = (place: Page | Locator) =>
  [
    place.getByRole('textbox', { name: 'Amount received', exact: true }),
    place.getByRole('textbox', { name: 'The amount again' }),
  ] as const

test('what was received is typed twice and credited', async ({ open }) => {
  const { investor, transactionId } = await asked(60)
  const page = await open(admin, undefined, { at: own })
  await opened(page, investor)
  const panel = panelOf(page)
  const other = panel.getByRole('checkbox', { name: 'Received a different amount' })
  await other.focus()
  await page.keyboard.press('Space')
  const [first, again] = fields(panel)
  await expect(first).toBeFocused()
  const approve = panel.getByRole('button', { name: 'Approve', exact: true })

  for (const [typed, twice, faulty, sentence] of [
    ['', '', first, 'Amount is required'],
    ['0', '0', first, 'Amount must be positive'],
    [
      '2.500',
      '2.500',
      first,
      'Please give dollars with at most two decimals, such as 1000 or 9.99',
    ],
    ['10000000.01', '10000000.01', first, 'Amount must be at most $10,000,000.00'],
    ['45.5', '45.05', again, 'The two amounts differ.'],
  ] as const) {
    await first.fill(typed)
    await again.fill(twice)
    await approve.click()
    await expect(faulty).toBeFocused()
    await expect(faulty).toHaveAccessibleDescription(sentence)
  }
  await again.fill('45.5')
  await expect(panel).toContainText('$45.50 is credited instead of $60.00.')
  expect(await violations(page)).toEqual([])
  await approve.click()
  await expect(page.getByText(`$45.50 credited to ${investor.username}.`)).toBeVisible()
  await expect(lineOf(page, investor)).toContainText('APPROVED')
  expect(await balanceOf(investor)).toBe(45.5)

  for (const [reader, path] of [
    [investor, '/dashboard'],
    [admin, '/admin'],
  ] as const) {
    const theirs = await open(reader, `${path}?transaction=${transactionId}`, { at: own })
    const story = theirs.getByRole('dialog', { name: 'Deposit' })
    await expect(story.getByRole('definition').first()).toHaveText('$60.00')
    await expect(story.getByRole('definition').nth(1)).toHaveText('$45.50')
    await expect(story.getByRole('listitem').first()).toContainText('Requested · $60.00')
    await expect(story.getByRole('listitem').nth(1)).toContainText('Deposit confirmed · $45.50')
  }
  await page.goto('/admin/audit')
  await expect(page.getByRole('row').filter({ hasText: '$45.50' })).toContainText(
    /\$60\.00.*became.*\$45\.50/,
  )
})

test('a large amount received is asked about once more', async ({ open }) => {
  const { investor } = await asked(70)
  const page = await open(admin, undefined, { at: own })
  await opened(page, investor)
  const panel = panelOf(page)
  await panel.getByRole('checkbox', { name: 'Received a different amount' }).check()
  const [first, again] = fields(panel)
  await first.fill('10,000.01')
  await again.fill('10000.01')
  await panel.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(panel).toContainText(`Credit $10,000.01 to ${investor.username}?`)
  const yes = panel.getByRole('button', { name: 'Yes, approve' })
  await expect(yes).not.toHaveAttribute('aria-disabled')
  await yes.click()
  await expect(page.getByText(`$10,000.01 credited to ${investor.username}.`)).toBeVisible()
  expect(await balanceOf(investor)).toBe(10_000.01)
})

test('the second person must name the amount of the first', async ({ open }) => {
  const { investor } = await asked(3_200_000)
  const theirs = await open(admin, undefined, { at: own })
  const mine = await open(await own.person(['ADMIN']), undefined, { at: own })
  for (const page of [theirs, mine]) {
    await opened(page, investor)
    const panel = panelOf(page)
    const approve = panel.getByRole('button', { name: 'Approve', exact: true })
    if (page === mine) {
      await expect(panel).toContainText(`${admin.username} received $3,000,000.00.`)
      await approve.click()
      await panel.getByRole('button', { name: 'Yes, approve' }).click()
      await expect(panel.getByRole('alert')).toContainText(
        'received $3,000,000.00. Check the payment',
      )
      expect(await balanceOf(investor)).toBe(0)
      await panel.getByRole('button', { name: 'Cancel' }).click()
    }
    await panel.getByRole('checkbox', { name: 'Received a different amount' }).check()
    for (const field of fields(panel)) await field.fill('3000000')
    await expect(approve).not.toHaveAttribute('aria-disabled')
    await approve.click()
    const yes = panel.getByRole('button', { name: 'Yes, approve' })
    await expect(yes).not.toHaveAttribute('aria-disabled')
    await yes.click()
    await expect.poll(() => balanceOf(investor)).toBe(page === mine ? 3_000_000 : 0)
    await expect(lineOf(page, investor)).toContainText(page === mine ? 'APPROVED' : '1 of 2')
  }
})

test('the dialog of the table takes what was received', async ({ open: visit }) => {
  const { investor } = await asked(80)
  const page = await visit(admin, '/admin?tab=transactions', { at: own })
  const row = page.getByRole('row').filter({ hasText: investor.username })
  const open = row.getByRole('button', { name: 'With transaction ID…' })
  await expect(open).not.toHaveAttribute('aria-disabled')
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Confirm deposit' })
  await dialog.getByRole('checkbox', { name: 'Received a different amount' }).check()
  const [first, again] = fields(dialog)
  await first.fill('81.25')
  await dialog.getByRole('button', { name: 'Approve Deposit' }).click()
  await expect(again).toBeFocused()
  await again.fill('81.25')
  await expect(dialog).toContainText('$81.25 is credited instead of $80.00.')
  expect(await violations(page, '[role="dialog"]')).toEqual([])
  await dialog.getByRole('button', { name: 'Approve Deposit' }).click()
  await expect(page.getByText(`$81.25 credited to ${investor.username}.`)).toBeVisible()
  await expect(row).toContainText('$81.25')
  expect(await balanceOf(investor)).toBe(81.25)
})
