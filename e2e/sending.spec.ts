import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { changeStream } from '@pool/contract/base/changes'
import { formatDollars } from '@pool/contract/base/money'
import { markCompleted } from '@pool/contract/coins/sending'
import { approve, confirm } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { newAddress } from '../server/testing/addresses.ts'
import { violations } from './axe.ts'
import { test } from './fixtures.ts'
import type { Pool } from './pool.ts'
import { newWallet } from './prepare.ts'
import { expectAccessible } from './steps.ts'
import { PHONE } from './widths.ts'

const HASH = '0123456789abcdef'.repeat(4)

/** An investor with $80, of which a withdrawal of this amount is approved. */
const approved = async (pool: Pool, amount: number) => {
  const admin = await pool.superAdmin()
  const investor = await pool.person()
  await newWallet(pool, admin)
  const { userId } = investor
  const asked = await pool.call(deposit, investor, { userId, amount: 80 })
  await pool.call(confirm, admin, { transactionId: asked.transactionId })
  const destinationAddress = newAddress('Polygon')
  const { transactionId } = await pool.call(withdraw, investor, {
    userId,
    amount,
    destinationAddress,
    networkName: 'Polygon',
  })
  await pool.call(approve, admin, { transactionId, userId })
  return { admin, investor, destinationAddress, transactionId }
}

/** The amount on the way, in the card of an investor's balance. */
const onTheWay = (page: Page) =>
  page.getByRole('region', { name: 'Account Balance' }).locator('dl [data-part=onTheWay]')

test('staff send a withdrawal and the investor sees it', async ({ open, pool }) => {
  // An older one asks for a reason, as those of other tests may.
  await approved(pool, 20)
  const { admin, investor, destinationAddress, transactionId } = await approved(pool, 61.23)

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
  const dialog = page.getByRole('dialog', { name: 'Mark as sent' })
  await dialog.getByLabel('On-chain transaction ID').fill('not an id')
  await dialog.getByLabel('Reason to skip older requests').fill('The older one waits for its owner')
  await dialog.getByRole('button', { name: 'Mark as sent' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(/not the ID of a transaction/)
  await dialog.getByLabel('On-chain transaction ID').fill(HASH)
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Mark as sent' }).click()
  await expect(page.getByText('The withdrawal of $61.23 is marked as sent.')).toBeVisible()

  await expect(page.locator('summary').filter({ hasText: 'To send' })).toContainText(
    / · \$[\d,.]+ not completed$/,
  )

  const own = await open(investor)
  // News reach a page that follows changes.
  const following = own.waitForResponse((response) => response.url().endsWith(changeStream.path))
  await own.goto(`/dashboard?transaction=${transactionId}`)
  await following
  const link = own.getByRole('link', { name: `0x${HASH}` })
  await expect(link).toHaveAttribute('href', `https://polygonscan.com/tx/0x${HASH}`)
  await expect(own.getByText('Sent. On its way to the address.')).toBeVisible()
  await expect(onTheWay(own)).toContainText('$61.23')

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
  await expect(onTheWay(own)).toContainText('$0.00')
})

test('two super admins give a withdrawal back', async ({ open, pool }) => {
  // Another run of this test leaves a row of another amount.
  const amount = (4_000 + (Date.now() % 1_000)) / 100
  const sum = formatDollars(amount)
  const { admin: first, investor, transactionId } = await approved(pool, amount)
  const second = await pool.person(['SUPER_ADMIN'])
  const own = await open(investor, '/dashboard', { viewport: PHONE })
  const card = own.getByRole('region', { name: 'Account Balance' })
  await expect(onTheWay(own)).toContainText(sum)
  await expect(card).toContainText('$80.00')
  await expectAccessible(own, 'onTheWay')

  const page = await open(first, '/admin')
  await page.getByText('To send', { exact: true }).click()
  await page.getByRole('button', { name: `Give back the withdrawal of ${sum}` }).press('Enter')
  const asking = page.getByRole('dialog', { name: `Give back ${sum}` })
  await asking.getByRole('button', { name: 'Ask for approval' }).press('Enter')
  await expect(asking).toContainText('Please give a reason.')
  await asking.getByLabel('Reason').fill('The address is on a closed exchange')
  await expectAccessible(page, 'giveBack', '[role=dialog]')
  await asking.getByRole('button', { name: 'Ask for approval' }).press('Enter')
  await expect(asking).toHaveCount(0)
  await expect(page.getByText('A second super admin must approve it.')).toBeVisible()
  await expect(onTheWay(own)).toContainText(sum)

  const deciding = await open(second, '/admin')
  // The withdrawal itself has such a button, too.
  await deciding
    .getByRole('region', { name: 'Waiting for a decision' })
    .getByRole('button', { name: `Give back the withdrawal of ${sum}` })
    .first()
    .click()
  await deciding.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(
    page.getByRole('button', { name: `Give back the withdrawal of ${sum}` }),
  ).toHaveCount(0)
  await expect(onTheWay(own)).toContainText('$0.00')
  await expect(card.locator('div[data-part=available]')).toContainText('$80.00')
  await own.goto(`/dashboard?transaction=${transactionId}&lang=es`)
  const story = own.getByRole('dialog', { name: 'Retirada' })
  await expect(story).toContainText('DEVUELTA')
  await expect(story).toContainText('Motivo de la devolución')
  await expect(story).toContainText('The address is on a closed exchange')
  await expect(story).toContainText('Retiradas en camino')
})

test('an admin sees what to send and gives nothing back', async ({ open, pool }) => {
  await approved(pool, 33.19)
  const page = await open(await pool.person(['ADMIN']), '/admin')
  await page.getByText('To send', { exact: true }).click()
  await expect(
    page.getByRole('button', { name: 'Mark the withdrawal of $33.19 as sent' }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: /^Give back/ })).toHaveCount(0)
})
