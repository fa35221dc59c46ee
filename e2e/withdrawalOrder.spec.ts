import { expect, type Page } from '@playwright/test'
import { markSent } from '@pool/contract/coins/sending'
import { approve, confirm } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { newAddress } from '../server/testing/addresses.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'
import { newWallet } from './prepare.ts'
import { approveInTable, expectAccessible, rows, settled } from './steps.ts'

/** Withdrawals are taken oldest first, and who leaves the order says why. */

// One product serves both.
test.describe.configure({ mode: 'default' })

let own: OwnProduct
test.beforeAll(async () => {
  own = await startOwnProduct()
})
test.afterAll(() => own?.remove())

const LABEL = 'Reason to skip older requests'

/** An investor's withdrawal that waits. */
const waiting = async (amount: number) => {
  const admin = await own.superAdmin()
  await newWallet(own, admin)
  const investor = await own.person()
  const { userId } = investor
  const asked = await own.call(deposit, investor, { userId, amount })
  await own.call(confirm, admin, { transactionId: asked.transactionId })
  const { transactionId } = await own.call(withdraw, investor, {
    userId,
    amount,
    destinationAddress: newAddress(),
    networkName: 'Bitcoin',
  })
  return { investor, transactionId, userId }
}

const storyOf = async (page: Page, id: string, lang = 'en') => {
  await page.goto(`/dashboard?transaction=${id}&lang=${lang}`)
  await settled(page)
  return page.getByRole('dialog')
}

test('staff say why they leave the order', async ({ open }) => {
  const [first, second, third] = [await waiting(20), await waiting(30), await waiting(40)]
  const investor = await open(third.investor, undefined, { at: own })
  const story = await storyOf(investor, third.transactionId)
  await expect(story).toContainText('2 requests are ahead of yours. They are paid oldest first.')
  await expectAccessible(investor, 'order-place', '[role=dialog]')

  const admin: Session = await own.superAdmin()
  const page = await open(admin, '/admin?tab=transactions', { at: own })
  const row = rows(page, third.investor.username)
  await row.getByRole('button', { name: 'Approve Withdrawal' }).click()
  const dialog = page.getByRole('dialog', { name: 'Approve Withdrawal' })
  await expect(dialog).toContainText('2 older withdrawals could be taken first.')
  await dialog.getByRole('link', { name: 'Show the oldest first' }).click()
  await expect(page.getByRole('row').nth(1)).toContainText(first.investor.username)
  await page.goBack()
  await settled(page)
  await row.getByRole('button', { name: 'Approve Withdrawal' }).click()
  // Dead for a moment, so a click waits.
  await dialog.getByRole('button', { name: 'Approve Withdrawal' }).click()
  await expect(dialog).toContainText('Please give the reason.')
  await expect(dialog.getByLabel(LABEL)).toBeFocused()
  await expectAccessible(page, 'order-approve', '[role=dialog]')
  await dialog.getByLabel(LABEL).fill('A hospital bill')
  await dialog.getByLabel(LABEL).press('Enter')
  await expect(rows(page, third.investor.username, 'Approved')).toHaveCount(1)

  // The queue asks in its panel.
  await page.goto('/admin')
  await settled(page)
  const queue = page.getByRole('region', { name: 'Waiting for a decision' })
  await queue.getByRole('listitem').filter({ hasText: '$30.00' }).getByRole('button').click()
  const panel = queue.getByRole('region', { name: / · / })
  await expect(panel).toContainText('An older withdrawal could be taken first.')
  await expectAccessible(page, 'order-queue')
  const press = panel.getByRole('button', { name: 'Approve', exact: true })
  await expect(press).not.toHaveAttribute('aria-disabled')
  await press.click()
  await expect(panel).toContainText('Please give the reason.')
  await panel.getByLabel(LABEL).fill('Asked by phone')
  await press.click()
  await expect(queue.getByRole('listitem').filter({ hasText: '$30.00' })).toContainText('APPROVED')

  // The oldest one needs no reason.
  await page.goto('/admin?tab=transactions')
  await settled(page)
  await approveInTable(page, rows(page, first.investor.username))
  await expect(rows(page, first.investor.username, 'Approved')).toHaveCount(1)
  await expect(page.getByLabel(LABEL)).toHaveCount(0)

  await page.goto('/admin')
  await page.getByText('To send', { exact: true }).click()
  await page.getByRole('button', { name: 'Mark the withdrawal of $40.00' }).press('Enter')
  const sending = page.getByRole('dialog', { name: 'Mark as sent' })
  await expect(sending).toContainText('2 older withdrawals could be taken first.')
  await sending.getByLabel(/transaction/i).fill('ab'.repeat(32))
  await sending.getByRole('button', { name: 'Mark as sent' }).click()
  await expect(sending).toContainText('Please give the reason.')
  await expectAccessible(page, 'order-send', '[role=dialog]')
  await sending.getByLabel(LABEL).fill('Its coins were at hand')
  await sending.getByLabel(LABEL).press('Enter')
  await expect(sending).toHaveCount(0)
  // A program that names no reason is on record, too.
  await own.call(
    markSent,
    admin,
    { networkName: 'Bitcoin', evidence: 'cd'.repeat(32) },
    { id: second.transactionId },
  )

  await page.goto('/admin/audit')
  await settled(page)
  const entries = page.getByRole('row').filter({ hasText: 'Older ones passed over' })
  await expect(entries).toHaveCount(4)
  await expect(entries.filter({ hasText: 'A hospital bill' })).toHaveCount(1)
  await expect(entries.filter({ hasText: 'Without a reason' })).toHaveCount(1)

  await page.goto('/pool?tab=money')
  const fact = (name: string) =>
    page.getByRole('region', { name: 'Time to payout' }).locator('div').filter({ hasText: name })
  await expect(async () => {
    await own.runJob('poolFigures')
    await page.reload()
    await expect(fact('Taken before older ones').last()).toContainText('4', { timeout: 5_000 })
  }).toPass()
  await expect(fact('Without a stated reason').last()).toContainText('1')
  await expectAccessible(page, 'order-pool')
})

test('a place is read on a phone in Spanish', async ({ open }) => {
  const older = await waiting(25)
  const { investor, transactionId } = await waiting(35)
  const page = await open(investor, undefined, { at: own, viewport: { width: 375, height: 720 } })
  const story = await storyOf(page, transactionId, 'es')
  // The approved withdrawals of others wait, too.
  await expect(story).toContainText(/Hay (una solicitud|\d+ solicitudes) antes de la tuya\./)
  await expect(async () => {
    await own.runJob('poolFigures')
    await page.reload()
    await expect(story).toContainText(/la mitad tardó como máximo \d+ minutos?, y el 95 %/, {
      timeout: 5_000,
    })
  }).toPass()
  await expectAccessible(page, 'order-spanish', '[role=dialog]')
  const { userId } = older
  await own.call(approve, await own.superAdmin(), { transactionId: older.transactionId, userId })
})
