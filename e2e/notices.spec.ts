import { expect, type Page } from '@playwright/test'
import { changeStream } from '@pool/contract/base/changes'
import { mailedByDefault } from '@pool/contract/reports/notices'
import { confirm } from '@pool/contract/requests/decisions'
import { deposit } from '@pool/contract/requests/requests'
import { test } from './fixtures.ts'
import { busyInvestor, newWallet } from './prepare.ts'
import { expectAccessible, settled, withoutChanges } from './steps.ts'

/** The inbox behind the bell, and the choice of mails. */

/** Follows changes before it goes on. */
const follow = async (page: Page, path = '/dashboard') => {
  const following = page.waitForResponse((response) => response.url().endsWith(changeStream.path))
  await page.goto(path)
  await following
  await settled(page)
  return page
}
const bell = (page: Page) => page.getByRole('button', { name: /^(Notices|Avisos)/ })
const inbox = (page: Page) => page.getByRole('region', { name: /^(Notices|Avisos)$/ })

test('the inbox is read by keyboard', async ({ open, pool }) => {
  const page = await follow(await open(await busyInvestor(pool)))
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  // Confirmed, matured, rejected, and two requested withdrawals.
  await expect(bell(page)).toHaveAccessibleName('Notices, 5 unread')
  await bell(page).focus()
  await page.keyboard.press('Enter')
  const notices = inbox(page).getByRole('listitem')
  await expect(notices.first()).toContainText('A withdrawal was requested')
  await expect(notices.first()).toContainText('$40.00')
  await expect(notices.nth(1)).toContainText('The destination cannot be read')
  await expectAccessible(page, 'notices')

  const mark = inbox(page).getByRole('button', { name: 'Mark all as read' })
  await mark.focus()
  await page.keyboard.press('Enter')
  await expect(bell(page)).toHaveAccessibleName('Notices')
  await expect(inbox(page).getByText('Unread')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(inbox(page)).toBeHidden()
  await bell(page).press('Enter')
  await notices.first().getByRole('link').focus()
  await page.keyboard.press('Enter')
  await expect(inbox(page)).toBeHidden()
  await expect(page.getByRole('dialog')).toContainText('$40.00')
  expect(faults).toEqual([])
})

test('a decision of staff rings the bell by itself', async ({ open, pool }) => {
  const investor = await pool.person()
  const admin = await pool.superAdmin()
  await newWallet(pool, admin)
  const { userId } = investor
  const page = await follow(await open(investor))
  const elsewhere = await follow(await open(investor), '/security')
  await bell(page).click()
  await expect(inbox(page)).toContainText('No notices yet')
  const { transactionId } = await pool.call(deposit, investor, { userId, amount: 75 })
  await pool.call(confirm, admin, { transactionId })
  await expect(bell(page)).toHaveAccessibleName('Notices, 1 unread')
  await expect(inbox(page).getByRole('listitem').first()).toContainText('Your deposit arrived')
  await expect(bell(elsewhere)).toHaveAccessibleName('Notices, 1 unread')
  // Read in one tab is read in the other.
  await inbox(page).getByRole('button', { name: 'Mark all as read' }).click()
  await expect(bell(elsewhere)).toHaveAccessibleName('Notices')
})

test('an inbox that does not load offers to retry', async ({ open, pool }) => {
  const page = await open(await pool.person())
  // A stream that opens has everything loaded again.
  await withoutChanges(page)
  await page.goto('/dashboard')
  await page.route('**/api/v1/user/notices', (route) => route.abort())
  await bell(page).click()
  await expect(inbox(page).getByRole('alert')).toContainText(/network|backend/i)
  await page.unroute('**/api/v1/user/notices')
  await inbox(page).getByRole('button', { name: 'Retry' }).click()
  await expect(inbox(page)).toContainText('No notices yet')
})

test('staff have a bell for their own account', async ({ open, people }) => {
  const page = await open(people.superAdmin, '/admin')
  await expect(bell(page)).toBeVisible()
  await bell(page).click()
  await expect(inbox(page)).toBeVisible()
})

test('mails are chosen by keyboard', async ({ open, pool }) => {
  const page = await open(await pool.person(), '/security')
  const card = page.getByRole('region', { name: 'Emails about your money' })
  const requested = card.getByRole('group', { name: 'Deposits' }).getByLabel('Requested')
  await expect(card.getByRole('checkbox', { checked: true })).toHaveCount(mailedByDefault.length)
  await requested.focus()
  await page.keyboard.press('Space')
  await expect(card.getByText('Your choice is saved.')).toBeVisible()
  await expectAccessible(page, 'mails')
  await page.reload()
  await expect(requested).toBeChecked()
  await page.route('**/preferences', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  )
  await requested.press('Space')
  await expect(card.getByRole('alert')).toBeVisible()
  await expect(requested).toBeChecked()
})

test('the inbox speaks Spanish', async ({ open, pool }) => {
  const page = await open(await busyInvestor(pool), '/dashboard', { own: { locale: 'es-ES' } })
  await bell(page).click()
  await expect(inbox(page).getByRole('listitem').first()).toContainText('Se ha pedido una retirada')
})
