import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { changeStream } from '@pool/contract/changes'
import { approve, confirm } from '@pool/contract/decisions'
import { deposit, withdraw } from '@pool/contract/requests'
import { markCompleted } from '@pool/contract/sending'
import { newAddress } from '../server/testing/addresses.ts'
import { test } from './fixtures.ts'
import { newWallet } from './prepare.ts'
import { violations } from './steps.ts'

const HASH = '0123456789abcdef'.repeat(4)

test('staff send a withdrawal and the investor sees it', async ({ open, pool }) => {
  const admin = await pool.superAdmin()
  const investor = await pool.person()
  await newWallet(pool, admin)
  const { userId } = investor
  const asked = await pool.call(deposit, investor, { userId, amount: 80 })
  await pool.call(confirm, admin, { transactionId: asked.transactionId })
  const destinationAddress = newAddress('Polygon')
  const { transactionId } = await pool.call(withdraw, investor, {
    userId,
    amount: 61.23,
    destinationAddress,
    networkName: 'Polygon',
  })
  await pool.call(approve, admin, { transactionId, userId })

  const page = await open(admin, '/admin')
  await page.getByText('To send', { exact: true }).click()
  const downloading = page.waitForEvent('download')
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Polygon/ })
    .getByRole('button', { name: 'Export' })
    .first()
    .click()
  const file = await downloading
  expect(file.suggestedFilename()).toMatch(/^to-send-polygon-/)
  expect(readFileSync(await file.path(), 'utf8')).toContain(`Polygon,${destinationAddress},61.23,`)

  await page.getByRole('button', { name: 'Mark the withdrawal of $61.23 as sent' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as Sent' })
  await dialog.getByLabel('On-chain transaction ID').fill('not an id')
  await dialog.getByRole('button', { name: 'Mark as Sent' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(/not the id of a transaction/)
  await dialog.getByLabel('On-chain transaction ID').fill(HASH)
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Mark as Sent' }).click()
  await expect(page.getByText('The withdrawal of $61.23 is marked as sent.')).toBeVisible()

  const own = await open(investor)
  // News reach a page that follows changes.
  const following = own.waitForResponse((response) => response.url().endsWith(changeStream.path))
  await own.goto(`/dashboard?transaction=${transactionId}`)
  await following
  const link = own.getByRole('link', { name: `0x${HASH}` })
  await expect(link).toHaveAttribute('href', `https://polygonscan.com/tx/0x${HASH}`)
  await expect(own.getByText('Sent. On its way to the address.')).toBeVisible()

  const done = page.getByRole('button', { name: 'Mark the withdrawal of $61.23 as completed' })
  // The live change removes the row before the response comes.
  await page.route(`**${markCompleted.path.replace('{id}', transactionId)}`, async (route) => {
    const response = await route.fetch()
    await expect(done).toHaveCount(0)
    await route.fulfill({ response })
  })
  await done.click()
  await expect(page.getByText('The withdrawal of $61.23 is completed.')).toBeVisible()
  await expect(page.locator('summary:focus')).toContainText('To send')
  await expect(own.getByText('Your withdrawal of $61.23 is completed.')).toBeVisible()
  await expect(own.getByRole('dialog', { name: 'Withdrawal' })).toContainText('COMPLETED')
})
