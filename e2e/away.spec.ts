import { expect, type Page, test } from '@playwright/test'
import { confirm } from '@pool/contract/decisions'
import { deposit } from '@pool/contract/requests'
import { listTransactions } from '@pool/contract/transactions'
import { dataDirectory } from '../server/testing/process.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import { type Sessions, startSessions } from './pages.ts'
import { newcomer, SUPER_ADMIN } from './people.ts'
import { newInvestor, newWallet, post, signedIn, startSession } from './prepare.ts'
import { settled, signIn, signUp } from './steps.ts'

/** A user who is away: signed out by the clock, from another tab, offline, or without a server. */

let sessions: Sessions
test.beforeAll(async ({ playwright, baseURL }) => {
  sessions = await startSessions(playwright, baseURL)
})

const warning = (page: Page) => page.getByRole('alertdialog', { name: 'Session Timeout Warning' })
const signInLink = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Sign In' })

/** Types half a withdrawal. */
const startWithdrawal = async (page: Page) => {
  await page.goto('/dashboard')
  await settled(page)
  await page.getByRole('button', { name: /^Withdraw / }).click()
  const dialog = page.getByRole('dialog', { name: 'Initiate Withdrawal' })
  await dialog.getByLabel('Amount').fill('12.5')
  await dialog.getByLabel('Description (optional)').fill('half a sentence')
  return dialog
}

const signInAgain = async (page: Page, username: string) => {
  await page.getByLabel('Email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('a quiet password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/dashboard')
}

const expectWithdrawal = async (page: Page) => {
  const dialog = page.getByRole('dialog', { name: 'Initiate Withdrawal' })
  await expect(dialog.getByLabel('Amount')).toHaveValue('12.5')
  await expect(dialog.getByLabel('Description (optional)')).toHaveValue('half a sentence')
}

test('the clock signs out, login says so and drafts return', async ({
  browser,
  baseURL,
  request,
}) => {
  const investor = await newInvestor(request)
  const context = await signedIn(browser, investor, { baseURL })
  const page = await context.newPage()
  await page.clock.install()
  await startWithdrawal(page)
  await page.clock.fastForward('02:40')
  await page.clock.fastForward('00:30')
  await expect(page).toHaveURL('/')
  await page.goto('/login')
  await expect(page.getByRole('status')).toHaveText(
    'You were signed out after 3 minutes without activity. Sign in to continue.',
  )
  await signInAgain(page, investor.username)
  await expectWithdrawal(page)
  await context.close()
})

test('another tab signs out, login says so and drafts return', async ({
  browser,
  baseURL,
  request,
}) => {
  const investor = await newInvestor(request)
  const context = await signedIn(browser, investor, { baseURL })
  const [page, other] = [await context.newPage(), await context.newPage()]
  await startWithdrawal(page)
  await other.goto('/dashboard')
  await settled(other)
  await other.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/login')
  await expect(page.getByRole('status')).toContainText('You were signed out in another tab.')
  await signInAgain(page, investor.username)
  await expectWithdrawal(page)
  // The tab that logged out by wish keeps and says nothing.
  await other.goto('/dashboard')
  await expect(other.getByRole('dialog')).toHaveCount(0)
  await context.close()
})

test("a new wallet's draft returns in its tab", async ({ browser, baseURL }) => {
  const context = await signedIn(browser, sessions.admin, { baseURL })
  const page = await context.newPage()
  await page.clock.install()
  await page.goto('/admin?tab=wallets')
  await page.getByRole('button', { name: 'Add Wallet' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add New Wallet' })
  await dialog.getByLabel('Network').selectOption('Bitcoin')
  await dialog.getByLabel('Wallet Address').fill('bc1half')
  await page.clock.fastForward('02:40')
  await page.clock.fastForward('00:30')
  await expect(page).toHaveURL('/')
  await page.goto('/login')
  await page.getByLabel('Email').fill(SUPER_ADMIN.email)
  await page.getByLabel('Password', { exact: true }).fill(SUPER_ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('tab', { name: /^Wallets/, selected: true })).toBeVisible()
  await expect(dialog.getByLabel('Wallet Address')).toHaveValue('bc1half')
  await context.close()
})

test('a draft never shows to another user', async ({ browser, baseURL, request }) => {
  const [first, second] = [await newInvestor(request), await newInvestor(request)]
  const context = await signedIn(browser, first, { baseURL })
  const page = await context.newPage()
  await page.clock.install()
  await startWithdrawal(page)
  await page.clock.fastForward('02:40')
  await page.clock.fastForward('00:30')
  await expect(page).toHaveURL('/')
  await page.goto('/login')
  await signInAgain(page, second.username)
  await settled(page)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await context.close()
})

test('the five-minute check without stored keys logs out', async ({ browser, baseURL }) => {
  const context = await signedIn(browser, sessions.investor, { baseURL })
  const page = await context.newPage()
  await page.clock.install()
  await page.goto('/dashboard')
  await settled(page)
  // Calls still have their token, so no 401 comes first.
  await page.evaluate(() => ['username', 'userId'].map((key) => localStorage.removeItem(key)))
  for (let minute = 0; minute < 6; minute += 1) {
    await page.keyboard.press('a')
    await page.clock.runFor('01:00')
  }
  await expect(page).toHaveURL('/')
  await page.goto('/login')
  await expect(page.getByRole('status')).toContainText(
    "this browser's data for the site was removed",
  )
  await context.close()
})

for (const way of ['directly', 'by a link'] as const)
  test(`resting on the landing page, reached ${way}, logs out`, async ({
    browser,
    baseURL,
    request,
  }) => {
    const context = await signedIn(browser, await newInvestor(request), { baseURL })
    const page = await context.newPage()
    await page.clock.install()
    if (way === 'directly') await page.goto('/')
    else {
      await page.goto('/dashboard')
      await settled(page)
      await page.getByRole('link', { name: 'Home page' }).click()
      await expect(page).toHaveURL('/')
    }
    await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeVisible()
    await expect(signInLink(page)).toHaveCount(0)
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
    await page.goto('/dashboard')
    await expect(page).toHaveURL('/')
    await page.goto('/login')
    await expect(page.getByRole('status')).toContainText('3 minutes without activity')
    await context.close()
  })

for (const path of ['/', '/login', '/dashboard'] as const)
  test(`${path} says that the browser is offline`, async ({ browser, baseURL }) => {
    const context = await signedIn(
      browser,
      path === '/dashboard' ? sessions.investor : sessions.visitor,
      { baseURL, viewport: { width: 375, height: 667 } },
    )
    const page = await context.newPage()
    await page.goto(path)
    await settled(page)
    const strip = page.getByRole('complementary', { name: 'Connection' })
    await expect(strip).toHaveCount(0)
    await context.setOffline(true)
    await expect(strip).toContainText('You are offline.')
    await expect(strip).toBeInViewport({ ratio: 1 })
    await context.setOffline(false)
    await expect(strip).toHaveCount(0)
    await context.close()
  })

test.describe('without a server', () => {
  let own: OwnProduct
  test.beforeAll(async () => {
    own = await startOwnProduct()
  })
  test.afterAll(() => own?.remove())

  test('a bar says so, dates figures and goes by itself', async ({ browser }) => {
    const context = await browser.newContext({ baseURL: own.url })
    const page = await context.newPage()
    const investor = newcomer()
    await signUp(page, investor)
    await signIn(page, investor)
    await settled(page)
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
    await context.close()
  })

  test('the landing page says so, and asks again', async ({ browser }) => {
    const context = await browser.newContext({ baseURL: own.url })
    const page = await context.newPage()
    await page.clock.install()
    await page.route('**/api/**', (route) => route.abort('connectionrefused'))
    await page.goto('/')
    const strip = page.getByRole('complementary', { name: 'Connection' })
    await expect(strip).toHaveText('The server cannot be reached. We keep trying.')
    await page.unroute('**/api/**')
    await page.clock.fastForward(15_000)
    await expect(strip).toHaveCount(0)
    await expect(page.locator('[data-figure]').first()).toHaveText('$0.00')
    await context.close()
  })
})

test('a half-typed withdrawal outlives the server', async ({ browser, playwright }) => {
  const directory = dataDirectory()
  try {
    const { url, end } = await directory.start()
    const port = new URL(url).port
    const api = await playwright.request.newContext({ baseURL: url })
    const admin = await startSession(SUPER_ADMIN, api)
    await newWallet(api, admin)
    const investor = await newInvestor(api)
    const { transactionId } = await post(
      api,
      deposit.path,
      { userId: investor.userId, amount: 50 },
      investor.token,
    )
    await post(api, confirm.path, { transactionId }, admin.token)
    const context = await signedIn(browser, investor, { baseURL: url })
    const page = await context.newPage()
    const dialog = await startWithdrawal(page)
    await end('SIGKILL')
    const submit = dialog.getByRole('button', { name: 'Initiate Withdrawal' })
    await submit.click()
    await expect(dialog.getByRole('alert')).toBeVisible()
    await directory.stop()
    await directory.start({ PORT: port })
    await expect(dialog.getByLabel('Amount')).toHaveValue('12.5')
    await expect(async () => {
      if (await dialog.isVisible()) await submit.click({ timeout: 1_000 })
      await expect(dialog).toBeHidden({ timeout: 5_000 })
    }).toPass()
    const headers = { authorization: `Bearer ${investor.token}` }
    const { body } = await (await api.get(listTransactions.path, { headers })).json()
    expect(body.filter(({ type }: { type: string }) => type === 'withdrawal')).toHaveLength(1)
    await context.close()
  } finally {
    await directory.remove()
  }
})
