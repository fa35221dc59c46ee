import { expect, type Page } from '@playwright/test'
import { listTransactions } from '@pool/contract/requests/transactions'
import { dataDirectory } from '../server/testing/process.ts'
import { test } from './fixtures.ts'
import { PREPARED } from './ownProduct.ts'
import { PASSWORD, SUPER_ADMIN } from './people.ts'
import { openPool } from './pool.ts'
import { fund } from './prepare.ts'
import { openPage, settled } from './steps.ts'

/** A user who is away: signed out by the clock, from another tab, offline, or without a server. */

const warning = (page: Page) => page.getByRole('alertdialog', { name: 'Session Timeout Warning' })
const signInLink = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Sign In' })

/** Types half a withdrawal. */
const startWithdrawal = async (page: Page) => {
  await page.goto('/dashboard')
  await settled(page)
  await page.getByRole('button', { name: /^Withdraw / }).click()
  const dialog = page.getByRole('dialog', { name: 'Initiate Withdrawal' })
  // The dialog focuses its first field once it is open, which would take the text of the next one.
  await expect(dialog.getByLabel('Amount')).toBeFocused()
  await dialog.getByLabel('Amount').fill('12.5')
  await dialog.getByLabel('Description (optional)').fill('half a sentence')
  return dialog
}

const signInAgain = async (page: Page, username: string) => {
  await page.getByLabel('Email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/dashboard')
}

const expectWithdrawal = async (page: Page) => {
  const dialog = page.getByRole('dialog', { name: 'Initiate Withdrawal' })
  await expect(dialog.getByLabel('Amount')).toHaveValue('12.50')
  await expect(dialog.getByLabel('Description (optional)')).toHaveValue('half a sentence')
}

test('the clock signs out, login says so and drafts return', async ({ open, pool }) => {
  const investor = await pool.person()
  const page = await open(investor, undefined, { own: {} })
  await page.clock.install()
  await startWithdrawal(page)
  await page.clock.fastForward('02:40')
  await page.clock.fastForward('00:30')
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('status')).toHaveText(
    'You were signed out after 3 minutes without activity. Sign in to continue.',
  )
  await signInAgain(page, investor.username)
  await expectWithdrawal(page)
})

test('another tab signs out, login says so and drafts return', async ({ open, pool }) => {
  const investor = await pool.person()
  const page = await open(investor)
  const other = await page.context().newPage()
  await startWithdrawal(page)
  await other.goto('/dashboard')
  await settled(other)
  await other.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('status')).toContainText('You were signed out in another tab.')
  await signInAgain(page, investor.username)
  await expectWithdrawal(page)
  // The tab that logged out by wish keeps and says nothing.
  await other.goto('/dashboard')
  await expect(other.getByRole('dialog')).toHaveCount(0)
})

test("a new wallet's draft returns in its tab", async ({ open, people }) => {
  const page = await open(people.superAdmin, undefined, { own: {} })
  await page.clock.install()
  await page.goto('/admin?tab=wallets')
  await page.getByRole('button', { name: 'Add Wallet' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add New Wallet' })
  await dialog.getByLabel('Network').selectOption('Bitcoin')
  await dialog.getByLabel('Wallet address').fill('bc1half')
  await page.clock.fastForward('02:40')
  await page.clock.fastForward('00:30')
  await expect(page).toHaveURL('/login')
  await page.getByLabel('Email').fill(SUPER_ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(SUPER_ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('tab', { name: /^Wallets/, selected: true })).toBeVisible()
  await expect(dialog.getByLabel('Wallet address')).toHaveValue('bc1half')
})

test('a draft never shows to another user', async ({ open, pool }) => {
  const [first, second] = [await pool.person(), await pool.person()]
  const page = await open(first, undefined, { own: {} })
  await page.clock.install()
  await startWithdrawal(page)
  await page.clock.fastForward('02:40')
  await page.clock.fastForward('00:30')
  await expect(page).toHaveURL('/login')
  await signInAgain(page, second.username)
  await settled(page)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the five-minute check without stored keys logs out', async ({ open, pool }) => {
  const page = await open(await pool.person(), undefined, { own: {} })
  await page.clock.install()
  await page.goto('/dashboard')
  await settled(page)
  // Calls still have their token, so no 401 comes first.
  await page.evaluate(() => ['username', 'userId'].map((key) => localStorage.removeItem(key)))
  for (let minute = 0; minute < 6; minute += 1) {
    await page.keyboard.press('a')
    await page.clock.runFor('01:00')
  }
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('status')).toContainText(
    "this browser's data for the site was removed",
  )
})

for (const way of ['directly', 'by a link'] as const)
  test(`resting on the landing page, reached ${way}, logs out`, async ({ open, pool }) => {
    const page = await open(await pool.person(), undefined, { own: {} })
    await page.clock.install()
    if (way === 'directly') await page.goto('/')
    else {
      await page.goto('/dashboard')
      await settled(page)
      await openPage(page, /^The pool/)
      await expect(page).toHaveURL('/pool')
      // The script of the clock arrives after the page, and begins at this event.
      const begun = page.evaluate(
        () => new Promise((go) => window.addEventListener('idle', () => go(true), { once: true })),
      )
      await page.getByRole('banner').getByRole('link', { name: 'Peer Lending Pool' }).click()
      await expect(page).toHaveURL('/')
      await begun
    }
    await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeVisible()
    await expect(signInLink(page)).toHaveCount(0)
    // A stopped clock counts no second of a busy machine. A past moment is refused.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
    await page.mouse.move(20, 20)
    await page.clock.runFor('02:29')
    await expect(warning(page)).toHaveCount(0)
    await page.clock.runFor('00:02')
    await expect(warning(page)).toContainText(/logged out in (29|30) seconds due to inactivity/)
    await warning(page).getByRole('button', { name: 'Stay Logged In' }).click()
    await expect(warning(page)).toHaveCount(0)
    const ended = page.waitForRequest(/\/user\/logout$/)
    await page.clock.runFor('03:01')
    await ended
    await expect(warning(page)).toHaveCount(0)
    await expect(signInLink(page)).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    await page.clock.resume()
    if (way === 'directly') await page.goto('/dashboard')
    else await signInLink(page).click()
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('status')).toContainText('3 minutes without activity')
  })

test('screens say that the browser is offline', async ({ open, people }) => {
  for (const [path, who] of [
    ['/', undefined],
    ['/login', undefined],
    ['/dashboard', people.investor],
  ] as const)
    await test.step(path, async () => {
      const page = await open(who, path, { viewport: { width: 375, height: 667 } })
      const strip = page.getByRole('complementary', { name: 'Connection' })
      await expect(strip).toHaveCount(0)
      await page.context().setOffline(true)
      await expect(strip).toContainText('You are offline.')
      await expect(strip).toBeInViewport({ ratio: 1 })
      await page.context().setOffline(false)
      await expect(strip).toHaveCount(0)
    })
})

test('a bar names a lost server, dates figures and goes', async ({ open, pool }) => {
  const page = await open(await pool.person(), '/dashboard')
  await page.route('**/api/**', (route) => route.abort('connectionrefused'))
  await page.keyboard.press('r')
  const strip = page.getByRole('complementary', { name: 'Connection' })
  await expect(strip).toHaveText(
    /^The server cannot be reached\. We keep trying\. Figures are from \d+:\d\d.[AP]M\.$/,
  )
  await expect(page.getByText(/^As of \d+:\d\d.[AP]M$/).first()).toBeVisible()
  await page.unroute('**/api/**')
  const reloaded = page.waitForResponse(/\/balance/)
  await expect(strip).toHaveCount(0)
  await reloaded
  await expect(page.getByText(/^As of /)).toHaveCount(0)
})

/** The landing page of an empty pool loses its server, and finds it again. */
const loseLanding = async (page: Page) => {
  await page.clock.install()
  await page.route('**/api/**', (route) => route.abort('connectionrefused'))
  await page.goto('/')
  const strip = page.getByRole('complementary', { name: 'Connection' })
  await expect(strip).toHaveText('The server cannot be reached. We keep trying.')
  await page.unroute('**/api/**')
  await page.clock.fastForward(15_000)
  await expect(strip).toHaveCount(0)
  await expect(page.locator('[data-figure]').first()).toHaveText('$0.00')
}

test('the landing page and a withdrawal outlive the server', async ({ open }) => {
  const directory = dataDirectory(PREPARED)
  try {
    const { url, end } = await directory.start()
    const { port } = new URL(url)
    const own = openPool({ url, dataDir: directory.dataDir })
    await test.step('the landing page says so, and asks again', async () =>
      loseLanding(await open(undefined, undefined, { at: own, own: {} })))

    const investor = await own.person()
    await fund(own, investor, 50)
    const page = await open(investor, undefined, { at: own })
    const dialog = await startWithdrawal(page)
    await end('SIGKILL')
    const submit = dialog.getByRole('button', { name: 'Initiate Withdrawal' })
    await submit.click()
    await expect(dialog.getByRole('alert')).toBeVisible()
    await directory.stop()
    await directory.start({ PORT: port })
    await expect(dialog.getByLabel('Amount')).toHaveValue('12.50')
    await expect(async () => {
      if (await dialog.isVisible()) await submit.click({ timeout: 1_000 })
      await expect(dialog).toBeHidden({ timeout: 5_000 })
    }).toPass()
    const transactions = await own.call(listTransactions, investor)
    expect(transactions.filter(({ type }) => type === 'withdrawal')).toHaveLength(1)
    await own.close()
  } finally {
    await directory.remove()
  }
})
