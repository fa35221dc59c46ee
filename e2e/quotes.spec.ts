import { expect, type Page } from '@playwright/test'
import type { NetworkName } from '@pool/contract/base/networks'
import { setRate } from '@pool/contract/chain/rates'
import { createWallet } from '@pool/contract/chain/wallets'
import { newAddress } from '../server/testing/addresses.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'
import { expectAccessible } from './steps.ts'

/** The dialog of a deposit says how many coins to send, until the quote ends. */

// One product serves all of them.
test.describe.configure({ mode: 'default' })

let own: OwnProduct
let admin: Session

test.beforeAll(async () => {
  // It ends before an idle session does.
  own = await startOwnProduct({ QUOTE_MINUTES: '2' })
  admin = await own.superAdmin()
  await own.call(setRate, admin, { coin: 'BTC', dollars: '64123.45' })
})
test.afterAll(() => own?.remove())

const add = async (networkName: NetworkName) => {
  const address = newAddress(networkName)
  await own.call(createWallet, admin, { address, networkName })
  return address
}
const askFor = async (page: Page, dollars: string) => {
  await page
    .getByRole('button', { name: /^Deposit/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Initiate Deposit' })
  await dialog.getByLabel('Amount').fill(dollars)
  return dialog
}
const shown = (page: Page) => page.getByRole('dialog', { name: 'Deposit Address' })
const coins = (page: Page) => page.getByRole('region', { name: 'Coins to send' })
const link = (page: Page) => page.getByRole('link', { name: 'Open in a wallet app' })

test('a deposit names the coins, and counts down', async ({ open }) => {
  const address = await add('Bitcoin')
  const investor = await own.person()
  // A clock of its own, which does not stay for the next test.
  const page = await open(investor, '/dashboard', { at: own, own: { reducedMotion: 'reduce' } })
  await page.clock.install()
  const dialog = await askFor(page, '250')
  await expect(dialog.getByLabel('Coin')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Deposit' }).press('Enter')
  await expect(coins(page)).toContainText('Send exactly')
  await expect(coins(page)).toContainText('0.00389873 BTC')
  await expect(coins(page)).toContainText('$250.00 at $64,123.45 for one BTC')
  await expect(coins(page).getByRole('timer')).toHaveText(/^[12]:\d\d left$/)
  // A sandbox has no chain that a wallet app could be sent to.
  await expect(link(page)).toHaveCount(0)
  await expect(shown(page).locator('code').first()).toHaveText(address)
  await expectAccessible(page, 'quote', '[role=dialog]')

  await page.clock.fastForward('02:10')
  await expect(coins(page)).toContainText('This quote has expired. The address still works.')
  await expect(coins(page).getByRole('timer')).toHaveCount(0)
  await expectAccessible(page, 'quoteEnded', '[role=dialog]')
})

test('a coin is chosen by keyboard where several are taken', async ({ open }) => {
  await add('Ethereum')
  const investor = await own.person()
  const page = await open(investor, '/dashboard', { at: own })
  const dialog = await askFor(page, '99.5')
  const coin = dialog.getByLabel('Coin')
  await expect(coin).toHaveValue('ETH')
  await expect(dialog).toContainText('We have no rate for this coin now')
  await coin.focus()
  await page.keyboard.press('ArrowDown')
  await expect(coin).toHaveValue('USDC')
  await expect(dialog).not.toContainText('We have no rate for this coin now')
  await expectAccessible(page, 'quoteCoin', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Deposit' }).press('Enter')
  await expect(coins(page)).toContainText('99.5 USDC')
  await shown(page).getByRole('button', { name: 'Done' }).press('Enter')

  // The story has it, for the investor and for staff beside the decision.
  await page.getByRole('link', { name: 'Show the deposit' }).click()
  const story = page.getByRole('dialog', { name: 'Deposit' })
  await expect(story).toContainText('99.5 USDC at $1.00')
  await expect(story.getByRole('timer')).toBeVisible()
  await expectAccessible(page, 'quoteStory', '[role=dialog]')
})

test('a deposit without a rate is as before', async ({ open }) => {
  const address = await add('Ethereum')
  const page = await open(await own.person(), '/dashboard', { at: own })
  const dialog = await askFor(page, '20')
  await dialog.getByRole('button', { name: 'Deposit' }).press('Enter')
  await expect(shown(page).locator('code').first()).toHaveText(address)
  await expect(coins(page)).toHaveCount(0)
})
