import { type APIRequestContext, expect, type Page, test } from '@playwright/test'
import { approve, confirm } from '@pool/contract/decisions'
import { deposit, withdraw } from '@pool/contract/requests'
import { SUPER_ADMIN } from './people.ts'
import { newInvestor, newWallet, post, signedIn, startSession } from './prepare.ts'
import { rows, settled, violations, withoutChanges } from './steps.ts'

/** An investor cancels an own request while it is pending. */

/** An investor with $100.00, of which $40.00 are held for a withdrawal, and a pending deposit. */
const waiting = async (api: APIRequestContext) => {
  const admin = await startSession(SUPER_ADMIN, api)
  const investor = await newInvestor(api)
  const { userId, token } = investor
  await newWallet(api, admin)
  const first = await post(api, deposit.path, { userId, amount: 100 }, token)
  await post(api, confirm.path, { transactionId: first.transactionId }, admin.token)
  await post(api, deposit.path, { userId, amount: 25 }, token)
  const { transactionId } = await post(api, withdraw.path, { userId, amount: 40 }, token)
  return { admin, investor, transactionId }
}

const balance = (page: Page) => page.getByRole('region', { name: 'Account Balance' })

test('the keyboard cancels a withdrawal and the money returns', async ({
  browser,
  request,
  baseURL,
}) => {
  const { investor } = await waiting(request)
  const page = await (await signedIn(browser, investor, { baseURL })).newPage()
  await page.goto('/dashboard')
  await settled(page)
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

test('a deposit is cancelled with a warning first', async ({ browser, request, baseURL }) => {
  const { investor } = await waiting(request)
  const at = { baseURL, viewport: { width: 375, height: 812 } }
  const page = await (await signedIn(browser, investor, at)).newPage()
  await page.goto('/dashboard')
  await settled(page)
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

test('a request decided meanwhile is not cancelled', async ({ browser, request, baseURL }) => {
  const { admin, investor, transactionId } = await waiting(request)
  const page = await (await signedIn(browser, investor, { baseURL })).newPage()
  await withoutChanges(page)
  await page.goto(`/dashboard?transaction=${transactionId}`)
  const panel = page.getByRole('dialog', { name: 'Withdrawal' })
  await panel.getByRole('button', { name: 'Cancel this withdrawal' }).click()
  const { userId } = investor
  await post(request, approve.path, { transactionId, userId }, admin.token)
  await panel.getByRole('button', { name: 'Yes, cancel the withdrawal' }).click()
  await expect(page.getByText('This transaction was already approved.')).toBeVisible()
  await expect(panel).toContainText('APPROVED')
  await expect(panel.getByRole('button', { name: /cancel/i })).toHaveCount(0)
  await expect(balance(page)).toContainText('$60.00')
})
