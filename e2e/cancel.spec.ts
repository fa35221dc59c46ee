import { expect, type Page } from '@playwright/test'
import { approve, confirm } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { violations } from './axe.ts'
import { test } from './fixtures.ts'
import type { Pool } from './pool.ts'
import { newWallet } from './prepare.ts'
import { rows, withoutChanges } from './steps.ts'
import { PHONE } from './widths.ts'

/** An investor cancels an own request while it is pending. */

/** An investor with $100.00, of which $40.00 are held for a withdrawal, and a pending deposit. */
const waiting = async (pool: Pool) => {
  const admin = await pool.superAdmin()
  const investor = await pool.person()
  const { userId } = investor
  await newWallet(pool, admin)
  const first = await pool.call(deposit, investor, { userId, amount: 100 })
  await pool.call(confirm, admin, { transactionId: first.transactionId })
  await pool.call(deposit, investor, { userId, amount: 25 })
  const { transactionId } = await pool.call(withdraw, investor, { userId, amount: 40 })
  return { admin, investor, transactionId }
}

const balance = (page: Page) => page.getByRole('region', { name: 'Account Balance' })

test('the keyboard cancels a withdrawal and the money returns', async ({ open, pool }) => {
  const { investor } = await waiting(pool)
  const page = await open(investor, '/dashboard')
  await expect(balance(page)).toContainText('$60.00')
  const opener = rows(page, '$40.00', 'PENDING').getByRole('link')
  await opener.focus()
  await page.keyboard.press('Enter')

  const panel = page.getByRole('dialog', { name: 'Withdrawal' })
  const button = panel.getByRole('button', { name: 'Cancel this withdrawal' })
  await expect(button).toBeVisible()
  for (let presses = 0; presses < 20; presses += 1) {
    if (await button.evaluate((one) => one === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  // A second press keeps the request.
  await expect(panel.getByRole('button', { name: 'Keep it' })).toBeFocused()
  expect(await violations(page, '[role="dialog"]')).toEqual([])
  await page.keyboard.press('Enter')
  await expect(button).toBeFocused()
  await expect(panel).toContainText('PENDING')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(panel.getByRole('button', { name: 'Yes, cancel the withdrawal' })).toBeFocused()
  await page.keyboard.press('Enter')

  await expect(panel).toContainText('REJECTED')
  await expect(panel).toContainText('Cancelled by the investor')
  await expect(panel.getByRole('listitem').filter({ hasText: 'Cancelled' })).toContainText('by you')
  await expect(panel.getByRole('row').last()).toContainText('Available balance')
  await expect(panel.getByRole('button', { name: /^Cancel/ })).toHaveCount(0)
  await expect(panel).toBeFocused()
  await expect(
    page.getByText('The withdrawal is cancelled. The money is back in your balance.'),
  ).toBeVisible()

  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(balance(page)).toContainText('$100.00')
  await expect(rows(page, '$40.00', 'REJECTED')).toContainText('Cancelled by the investor')
})

test('a deposit is cancelled with a warning first', async ({ open, pool }) => {
  const { investor } = await waiting(pool)
  const page = await open(investor, '/dashboard', { viewport: PHONE })
  await rows(page, '$25.00', 'PENDING').getByRole('link').click()
  const panel = page.getByRole('dialog', { name: 'Deposit' })
  await expect(panel).toContainText('Cancel only if you have sent nothing.')
  await panel.getByRole('button', { name: 'Cancel this deposit' }).click()
  await panel.getByRole('button', { name: 'Yes, cancel the deposit' }).click()
  await expect(page.getByText('The deposit is cancelled.')).toBeVisible()
  await expect(panel).toContainText('REJECTED')
  await expect(panel).toContainText('No money has moved yet.')
  await page.keyboard.press('Escape')
  await expect(rows(page, '$25.00')).toContainText('REJECTED')
  await expect(balance(page)).toContainText('$60.00')
})

test('a request decided meanwhile is not cancelled', async ({ open, pool }) => {
  const { admin, investor, transactionId } = await waiting(pool)
  const page = await open(investor)
  await withoutChanges(page)
  await page.goto(`/dashboard?transaction=${transactionId}`)
  const panel = page.getByRole('dialog', { name: 'Withdrawal' })
  await panel.getByRole('button', { name: 'Cancel this withdrawal' }).click()
  const { userId } = investor
  await pool.call(approve, admin, { transactionId, userId })
  await panel.getByRole('button', { name: 'Yes, cancel the withdrawal' }).click()
  await expect(page.getByText('This transaction was already approved.')).toBeVisible()
  await expect(panel).toContainText('APPROVED')
  await expect(panel.getByRole('button', { name: /cancel/i })).toHaveCount(0)
  await expect(balance(page)).toContainText('$60.00')
})
