import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { type PriceServer, startPriceServer } from '../server/testing/prices.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'
import { expectAccessible, openPage } from './steps.ts'

/** Staff see what each coin counts as, and set a rate: alone in a sandbox, else two of them. */

// One product serves all of them.
test.describe.configure({ mode: 'default' })

let directory: string
let sources: PriceServer[]
let own: OwnProduct
let admin: Session

test.beforeAll(async () => {
  sources = await Promise.all([0, 1, 2].map(() => startPriceServer('{"price": 150.25}')))
  directory = mkdtempSync(join(tmpdir(), 'prices-'))
  // Under root, the product serves as another user.
  chmodSync(directory, 0o755)
  const path = join(directory, 'prices.json')
  writeFileSync(path, JSON.stringify({ SOL: sources.map(({ url }) => ({ url, price: 'price' })) }))
  own = await startOwnProduct({ PRICE_URLS: path })
  admin = await own.superAdmin()
})
test.afterAll(async () => {
  await own?.remove()
  await Promise.all(sources.map(({ close }) => close()))
  rmSync(directory, { recursive: true })
})

const card = (page: Page, coin: string) =>
  page.getByRole('list', { name: 'Rates', exact: true }).getByRole('listitem', { name: coin })

test('a rate is set by keyboard, a wrong one refused', async ({ open }) => {
  const page = await open(admin, '/admin', { at: own })
  await openPage(page, /^Rates/)
  await expect(page).toHaveURL('/admin/rates')
  await expect(card(page, 'BTC')).toContainText('No rate yet')
  await expect(card(page, 'USDC')).toContainText('Worth $1.00')

  await card(page, 'BTC').getByRole('button', { name: 'Set the rate of BTC' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Set the rate of BTC' })
  const field = dialog.getByLabel('Dollars for one BTC')
  await expect(field).toBeFocused()
  await page.keyboard.type('64,123.45')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('Please give dollars as a number above zero')
  await expect(field).toBeFocused()
  await field.fill('64123.45')
  await expectAccessible(page, 'setRate', '[role=dialog]')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Rate set. It is in use now.')).toBeVisible()
  await expect(card(page, 'BTC')).toContainText('$64,123.45')
  await expect(card(page, 'BTC')).toContainText(`Set by ${admin.username}`)
  await expect(card(page, 'BTC').getByText('In use', { exact: true })).toBeVisible()
})

test('the sources of a coin are shown beside its median', async ({ open }) => {
  await own.runJob('prices')
  const page = await open(admin, '/admin/rates', { at: own })
  await expect(card(page, 'SOL')).toContainText('$150.25', { timeout: 90_000 })
  await expect(card(page, 'SOL')).toContainText('Median of the sources')
  await expect(page.getByRole('list', { name: 'Sources of SOL' }).getByRole('listitem')).toHaveText(
    sources.map(({ url }) => `${new URL(url).host}$150.25`),
  )
  await expectAccessible(page, 'rates')
})

test('a second person approves a rate, an auditor reads', async ({ open }) => {
  const [asker, other, auditor] = [
    await own.person(['ADMIN']),
    await own.person(['ADMIN']),
    await own.person(['AUDITOR']),
  ]
  await own.askForRate(asker, 'ETH', '3210.5')
  const name = 'Set the rate of ETH to 3210.50 dollars'
  const read = await open(auditor, '/admin/rates', { at: own })
  const section = (page: Page) => page.getByRole('region', { name: 'Waiting for a second person' })
  await expect(section(read)).toContainText(name)
  await expect(section(read).getByRole('button')).toHaveCount(0)
  await expect(card(read, 'ETH').getByRole('button')).toHaveCount(0)

  // The one queue of super admins has it, too.
  const queue = await open(admin, '/admin', { at: own })
  await expect(queue.getByRole('region', { name: 'Waiting for a decision' })).toContainText(name)

  const page = await open(other, '/admin/rates', { at: own })
  await expect(card(page, 'ETH')).toContainText('No rate yet')
  await expectAccessible(page, 'ratesWaiting')
  await section(page)
    .getByRole('button', { name: `Approve: ${name}` })
    .press('Enter')
  await expect(page.getByText('Approved. It is in force now.')).toBeVisible()
  await expect(section(page)).toHaveCount(0)
  await expect(card(page, 'ETH')).toContainText('$3,210.50')
  await expect(card(page, 'ETH')).toContainText(`Set by ${asker.username}`)
})
