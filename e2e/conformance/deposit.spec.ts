import { expect, type Page } from '@playwright/test'
import { EMAIL, page as html, no, ok, type Reply, serve, wallet } from './answers.ts'
import { button, configured, openDialog, stopClock, stored, test } from './browser.ts'

/** From the configuration of the run (playwright.config.ts). */
const FALLBACK = process.env.FALLBACK_DEPOSIT_ADDRESS ?? ''
const { address } = wallet()

test.use({ role: 'client' })

const askToDeposit = async (page: Page, amount = '75') => {
  const dialog = await openDialog(page, 'Deposit')
  await dialog.getByLabel('Amount').fill(amount)
  await button(dialog, 'Initiate Deposit').click()
  return dialog
}

const shownAddress = (page: Page) => page.getByRole('dialog', { name: 'Deposit Address' })

test('a deposit opens the address with amount, network and instructions', async ({ page }) => {
  await serve(page)
  await page.goto('/dashboard')
  const dialog = await askToDeposit(page, '1234.5')
  const shown = shownAddress(page)
  await expect(shown).toBeVisible()
  await expect(dialog).toBeHidden()
  for (const text of [
    'Bitcoin',
    '$1,234.50',
    address,
    'Send only Bitcoin coins to this address',
    'Double-check the address',
    'minimum deposit is $10',
  ])
    await expect(shown).toContainText(text)
  await expect(shown.getByText('not recorded')).toHaveCount(0)
})

test('the address is a code without a link', async ({ page }) => {
  await serve(page)
  await page.goto('/dashboard')
  await askToDeposit(page)
  const shown = shownAddress(page)
  await expect(shown.getByRole('img', { name: 'Payment code for a wallet app' })).toBeVisible()
  await expect(shown.getByRole('link', { name: 'Open in a wallet app' })).toHaveCount(0)
})

test('each network has its badge under all of its names', async ({ page }) => {
  const networks = {
    bitcoin: ['bitcoin', 'BTC', 'Bitcoin'],
    ethereum: ['Ethereum', 'eth'],
    binance: ['BINANCE', 'bnb', 'BSC', 'Binance Smart Chain'],
    polygon: ['Polygon', 'MATIC'],
    solana: ['SOLANA', 'Sol'],
    generic: ['Litecoin', 'Consolation'],
  }
  const names = Object.values(networks).flat()
  await serve(page, { deposit: (_, before) => ok({ address, networkName: names[before] }) })
  await page.goto('/dashboard')
  const looks = new Set<string>()
  for (const [look, called] of Object.entries(networks)) {
    for (const name of called) {
      await askToDeposit(page)
      const badge = shownAddress(page).locator('[data-network]')
      await expect(badge).toHaveText(name)
      await expect(badge).toHaveAttribute('data-network', look)
      const symbol = badge.locator('[aria-hidden]').first()
      const drawn = await symbol.evaluate(
        (element) => `${getComputedStyle(element).backgroundColor} ${element.innerHTML}`,
      )
      looks.add(drawn)
      await page.keyboard.press('Escape')
      await expect(shownAddress(page)).toBeHidden()
    }
  }
  expect(looks.size).toBe(Object.keys(networks).length)
})

test.describe('with a clipboard', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('copying is confirmed for two seconds', async ({ page }) => {
    await page.clock.install()
    await serve(page)
    await page.goto('/dashboard')
    await askToDeposit(page)
    const copy = button(shownAddress(page), /copy/i)
    await expect(copy).toBeVisible()
    await stopClock(page)
    await copy.click()
    const confirmation = page.getByText('Address copied to clipboard!')
    await expect(confirmation).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
    await page.clock.runFor(1_900)
    await expect(confirmation).toBeVisible()
    await page.clock.runFor(200)
    await expect(confirmation).toHaveCount(0)
  })
})

test('without a clipboard the address is selected', async ({ page }) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))
  })
  await serve(page)
  await page.goto('/dashboard')
  await askToDeposit(page)
  await button(shownAddress(page), /copy/i).click()
  await expect(shownAddress(page)).toContainText('The address is selected')
  await expect(page.getByText('Address copied to clipboard!')).toHaveCount(0)
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(address)
})

const failures: Readonly<Record<string, readonly [Reply, string]>> = {
  'a refusal': [
    no(400, 'Amount must be at most $10,000,000.00'),
    'Amount must be at most $10,000,000.00',
  ],
  'a right that is missing': [no(403), "Access denied. You don't have permission for this action."],
  'a call that does not exist': [html(404), 'Resource not found.'],
  'a conflict': [no(409, 'In conflict'), 'In conflict'],
  'too many attempts': [no(429, 'Too many attempts.'), 'Too many attempts.'],
  'an error of the server': [html(500), 'Server error. Please try again later.'],
  'a bad gateway': [html(502), 'Bad gateway. Please try again later.'],
  'no wallet left': [
    no(503, 'No deposit address is available right now.'),
    'No deposit address is available right now.',
  ],
  'an unknown status': [html(418), 'Server error (418). Please try again.'],
  'a response without an address': [ok({ networkName: 'Bitcoin' }), 'Failed to initiate deposit'],
  'a response that is none': [html(200), 'Failed to initiate deposit'],
  'a connection that breaks': ['refused', 'Network error. Please check your internet connection.'],
  'no response at all': ['silence', 'Request timeout. Please try again.'],
}

/** Failures with an answer of the product, after which nothing is recorded for certain. */
const ANSWERED: readonly string[] = [
  'a refusal',
  'a right that is missing',
  'a call that does not exist',
  'a conflict',
  'too many attempts',
  'an unknown status',
]

test(`a deposit failed by ${Object.keys(failures).join(', ')} shows the operator's address`, async ({
  page,
}) => {
  const all = Object.entries(failures)
  await page.clock.install()
  await serve(page, { deposit: (_, before) => all[before]?.[1][0] ?? 'refused' })
  await page.goto('/dashboard')
  for (const [name, [reply, reason]] of all) {
    await askToDeposit(page)
    if (reply === 'silence') {
      await expect(button(page, 'Processing...')).toBeVisible()
      await page.clock.runFor(30_000)
    }
    const shown = shownAddress(page)
    await expect(shown, name).toBeVisible()
    for (const text of [
      ANSWERED.includes(name) ? 'This deposit was not recorded' : 'may not be recorded',
      reason,
      FALLBACK,
      'Bitcoin',
      '$75.00',
      'support@example.com',
    ])
      await expect(shown, name).toContainText(text)
    await expect(shown.getByRole('link', { name: 'support@example.com' })).toHaveAttribute(
      'href',
      new RegExp(encodeURIComponent(EMAIL)),
    )
    await page.keyboard.press('Escape')
    await expect(shown).toBeHidden()
  }
})

test('a failed deposit without a fallback address shows its error', async ({ page }) => {
  await configured(page, { fallbackDepositAddress: '' })
  const replies = [no(503, 'No deposit address is available right now.'), html(500), html(200)]
  await serve(page, { deposit: (_, before) => replies[before] ?? 'refused' })
  await page.goto('/dashboard')
  const dialog = await askToDeposit(page)
  for (const sentence of [
    'No deposit address is available right now.',
    'Server error. Please try again later.',
    'Failed to initiate deposit',
    'Network error. Please check your internet connection.',
  ]) {
    await expect(dialog.getByRole('alert')).toContainText(sentence)
    await button(dialog, 'Initiate Deposit').click()
  }
  await expect(shownAddress(page)).toHaveCount(0)
})

test('a deposit answered 401 leads to login without an address', async ({ page }) => {
  await serve(page, { deposit: no(401) })
  await page.goto('/dashboard')
  await askToDeposit(page)
  await expect(page).toHaveURL('/login')
  await expect(page.getByText(FALLBACK)).toHaveCount(0)
  expect((await stored(page))[0]).toBeNull()
})
