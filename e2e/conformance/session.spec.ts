import { expect, type Page } from '@playwright/test'
import {
  EMAIL,
  made,
  no,
  of,
  ok,
  type Reply,
  serve,
  TOKEN,
  transaction,
  user,
  wallet,
  without,
} from './answers.ts'
import {
  button,
  listen,
  NOTHING_STORED,
  openDialog,
  rows,
  stopClock,
  stored,
  test,
} from './browser.ts'

const warning = (page: Page) => page.getByRole('alertdialog', { name: 'Session Timeout Warning' })

/** Opens the dashboard in a browser with a stopped clock. */
const openAtRest = async (...pages: readonly [Page, ...Page[]]) => {
  await pages[0].clock.install()
  for (const page of pages) {
    await page.goto('/dashboard')
    await expect(page.getByRole('region', { name: 'Account Balance' })).toContainText('$')
  }
  await stopClock(pages[0])
}

/** Rests until the warning comes. A late answer that moves the page counts as activity. */
const rest = async (page: Page) => {
  await page.clock.runFor('02:30')
  await expect
    .poll(
      async () => {
        await page.clock.runFor('00:01')
        return warning(page).isVisible()
      },
      { intervals: [200] },
    )
    .toBe(true)
}

test.describe('of an investor', () => {
  test.use({ role: 'client' })

  test('logging out clears the four keys without waiting', async ({ page }) => {
    const calls = await serve(page, { balance: ok(777.77) })
    await page.goto('/dashboard')
    await expect(page.getByText('$777.77')).toBeVisible()
    // The last calls of a dashboard: the stream, the list, the next maturities and the bell.
    await expect
      .poll(() => made(calls, 'changeStream', 'listInvestments', 'listNotices'))
      .toHaveLength(4)
    const before = calls.length
    await button(page, 'Logout').click()
    await expect(page).toHaveURL('/')
    expect(await stored(page)).toEqual(NOTHING_STORED)
    // The landing page reads the pool's public figures. The call that ends the session never gets
    // a response here.
    await expect.poll(() => of(calls, 'logout')).toHaveLength(1)
    const named = calls
      .slice(before)
      .filter(({ method, headers }) => method !== 'GET' || headers.authorization)
    expect(named).toMatchObject([
      { name: 'logout', payload: null, headers: { authorization: `Bearer ${TOKEN}` } },
    ])
    await page.goBack()
    await expect(page.getByText('$777.77')).toHaveCount(0)
    await page.goto('/dashboard')
    await expect(page).toHaveURL('/')
  })

  test('only the four keys of another tab reload the page', async ({ page, context }) => {
    await serve(page)
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible()
    const other = await context.newPage()
    await other.goto('/favicon.svg')
    const setElsewhere = (key: string, value: string) =>
      other.evaluate((entry) => localStorage.setItem(...entry), [key, value] as [string, string])
    let loads = 0
    page.on('domcontentloaded', () => loads++)
    await setElsewhere('something-else', 'x')
    for (const [index, key] of ['userRole', 'username', 'userId', 'token'].entries()) {
      const reloaded = page.waitForEvent('domcontentloaded')
      await setElsewhere(key, key === 'userRole' ? 'admin' : 'changed')
      await reloaded
      await expect(
        page.getByRole('heading', { name: 'Admin Dashboard', exact: true }),
      ).toBeVisible()
      expect(loads).toBe(index + 1)
    }
    await other.evaluate(() => localStorage.clear())
    await expect(page).toHaveURL('/login')
  })

  test('a 401 clears token and data and leads to login', async ({ page }) => {
    let reply = ok([])
    const calls = await serve(page, { balance: ok(777.77), listTransactions: () => reply })
    await page.goto('/dashboard')
    await expect(page.getByText('$777.77')).toBeVisible()
    await expect(page.getByText('No transactions yet')).toBeVisible()
    reply = no(401)
    await button(page, 'Refresh').click()
    await expect(page).toHaveURL('/login')
    await expect(page.getByText('You were signed out. Sign in to continue.')).toBeVisible()
    await expect(page.getByText('$777.77')).toHaveCount(0)
    expect(await stored(page)).toEqual([null, EMAIL, expect.any(String), 'client'])
    expect(of(calls, 'listTransactions').length).toBeGreaterThan(1)
  })

  test('the session is looked up every five minutes', async ({ page }) => {
    const replies = [ok(without(user(), 'roles')), no(500), no(401)]
    const calls = await serve(page, { currentUser: (_, before) => replies[before] ?? 'silence' })
    await openAtRest(page)
    const lookUps = () => of(calls, 'currentUser').length
    await expect.poll(lookUps).toBe(1)
    const stayFor = async (...times: readonly string[]) => {
      for (const time of times) {
        await page.clock.runFor(time)
        await page.keyboard.press('a')
      }
    }
    await stayFor('01:40', '01:40', '01:30')
    expect(lookUps()).toBe(1)
    const failure = page.waitForResponse((response) => response.status() === 500)
    await stayFor('00:10')
    await expect.poll(lookUps).toBe(2)
    await failure
    await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible()
    await stayFor('01:40', '01:40', '01:30')
    expect(lookUps()).toBe(2)
    // The five minutes count from the response, perhaps seconds later by the page's clock.
    await expect
      .poll(async () => {
        await stayFor('00:02')
        return lookUps()
      })
      .toBe(3)
    await expect(page).toHaveURL('/login')
  })

  test('the look-up takes over a changed role', async ({ page }) => {
    await serve(page, { currentUser: ok(user({ roles: [{ type: 'ADMIN' }] })) })
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'Admin Dashboard', exact: true })).toBeVisible()
    expect((await stored(page))[3]).toBe('admin')
  })

  test('idleness warns after 2.5 minutes and logs out after 3', async ({ page }) => {
    const calls = await serve(page)
    await openAtRest(page)
    await page.mouse.move(10, 10)
    await page.clock.runFor('02:29')
    await expect(warning(page)).toHaveCount(0)
    await page.clock.runFor('00:01')
    await expect(warning(page)).toContainText(
      'You will be logged out in 30 seconds due to inactivity.',
    )
    await page.clock.runFor('00:01')
    await expect(warning(page)).toContainText(
      'You will be logged out in 29 seconds due to inactivity.',
    )
    await page.clock.runFor('00:28')
    await expect(warning(page)).toContainText(
      'You will be logged out in 1 seconds due to inactivity.',
    )
    await page.clock.runFor('00:01')
    await expect(page).toHaveURL('/login')
    expect(await stored(page)).toEqual(NOTHING_STORED)
    await expect.poll(() => of(calls, 'logout')).toHaveLength(1)
  })

  const replies: Readonly<Record<string, Reply>> = {
    'an error': no(500, 'Not these words'),
    'a refused token': no(401, 'Not these words'),
    'no connection': 'refused',
    'no response': 'silence',
  }
  for (const [what, reply] of Object.entries(replies))
    test(`leaving with ${what} from the server changes no screen`, async ({ page }) => {
      const calls = await serve(page, { logout: reply })
      await page.goto('/dashboard')
      await expect(page.getByRole('region', { name: 'Account Balance' })).toContainText('$')
      const heard = listen(page)
      await button(page, 'Logout').click()
      await expect(page).toHaveURL('/')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect.poll(() => of(calls, 'logout').length).toBe(1)
      await expect(page.getByText('Not these words')).toHaveCount(0)
      await expect(page).toHaveURL('/')
      expect(await stored(page)).toEqual(NOTHING_STORED)
      // The browser logs a failed request by itself. The app must add nothing.
      expect(heard.filter((line) => !line.startsWith('Failed to load resource'))).toEqual([])
    })

  const events: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    'mouse down': (page) => page.dispatchEvent('h1', 'mousedown'),
    'mouse move': (page) => page.dispatchEvent('h1', 'mousemove'),
    'key press': (page) => page.dispatchEvent('h1', 'keypress'),
    scroll: (page) => page.dispatchEvent('main', 'scroll'),
    touch: (page) => page.dispatchEvent('h1', 'touchstart'),
    click: (page) => page.dispatchEvent('h1', 'click'),
    focus: (page) => page.dispatchEvent('h1', 'focus'),
    input: (page) => page.dispatchEvent('h1', 'input'),
    change: (page) => page.dispatchEvent('h1', 'change'),
  }

  test(`each of ${Object.keys(events).join(', ')} starts the idle time anew`, async ({ page }) => {
    await serve(page)
    await openAtRest(page)
    for (const act of Object.values(events)) {
      await act(page)
      await page.clock.runFor('02:25')
    }
    await expect(warning(page)).toHaveCount(0)
    await page.clock.runFor('00:05')
    await expect(warning(page)).toBeVisible()
  })

  test('the warning offers staying, closing and leaving', async ({ page }) => {
    const calls = await serve(page)
    await openAtRest(page)
    for (const name of ['Stay Logged In', 'Close']) {
      await rest(page)
      await button(warning(page), name).click()
      await expect(warning(page)).toHaveCount(0)
      await page.clock.runFor('02:20')
      await expect(warning(page)).toHaveCount(0)
      await page.keyboard.press('a')
    }
    await rest(page)
    const before = calls.length
    await button(warning(page), 'Logout Now').click()
    await expect(page).toHaveURL('/')
    expect(await stored(page)).toEqual(NOTHING_STORED)
    await expect.poll(() => made(calls.slice(before), 'logout')).toHaveLength(1)
    expect(made(calls.slice(before), 'currentUser', 'balance', 'listTransactions')).toEqual([])
  })

  test('typed input survives staying logged in', async ({ page }) => {
    await serve(page)
    await openAtRest(page)
    await page.clock.resume()
    const dialog = await openDialog(page, 'Withdraw')
    await dialog.getByLabel('Amount').fill('12.34')
    await dialog.getByLabel('Description (optional)').fill('half a sentence')
    await stopClock(page)
    await rest(page)
    await button(warning(page), 'Stay Logged In').click()
    await expect(warning(page)).toHaveCount(0)
    await expect(dialog.getByLabel('Amount')).toHaveValue('12.34')
    await expect(dialog.getByLabel('Description (optional)')).toHaveValue('half a sentence')
  })

  test('tabs share activity and logout', async ({ page, context }) => {
    const other = await context.newPage()
    for (const tab of [page, other]) await serve(tab)
    await openAtRest(page, other)
    await context.clock.runFor('02:20')
    await other.keyboard.press('a')
    await context.clock.runFor('00:20')
    await expect(warning(page)).toHaveCount(0)
    await expect(warning(other)).toHaveCount(0)
    await context.clock.runFor('02:11')
    await expect(warning(page)).toBeVisible()
    await button(warning(other), 'Stay Logged In').click()
    await expect(warning(page)).toHaveCount(0)
    await button(other, 'Logout').click()
    await expect(other).toHaveURL('/')
    await expect(page).toHaveURL('/login')
  })
})

test.describe('of an admin', () => {
  test.use({ role: 'admin' })

  test('a 401 on rejecting ends the session with its sentence', async ({ page }) => {
    const calls = await serve(page, {
      listTransactions: ok([transaction({ type: 'withdrawal' })]),
      reject: no(401, 'Not these words'),
    })
    await page.goto('/dashboard')
    await button(rows(page, EMAIL), 'Reject Withdrawal').click()
    await button(page.getByRole('dialog'), 'Reject').click()
    await expect(page).toHaveURL('/login')
    await expect(page.getByText('Authentication failed. Please login again.')).toBeVisible()
    expect((await stored(page))[0]).toBeNull()
    expect(made(calls, 'reject', 'rejectByPayload', 'rejectByPut')).toHaveLength(1)
  })

  for (const call of ['listWallets', 'createWallet', 'deleteWallet'] as const) {
    test(`a 401 on ${call} advises logging in as an admin`, async ({ page }) => {
      await serve(page, { listWallets: ok([wallet()]), [call]: no(401, 'Not these words') })
      await page.goto('/dashboard')
      if (call !== 'listWallets') await page.getByRole('tab', { name: /^Wallets/ }).click()
      if (call === 'createWallet') {
        await button(page, 'Add Wallet').click()
        await page.getByRole('dialog').getByLabel('Network').selectOption('Bitcoin')
        await page.getByRole('dialog').getByLabel('Wallet address').fill('bc1q')
        await button(page.getByRole('dialog'), 'Add Wallet').click()
      }
      if (call === 'deleteWallet') {
        await button(page, /^Delete wallet/).click()
        await button(page.getByRole('dialog'), 'Delete').click()
      }
      await expect(page).toHaveURL('/login')
      await expect(
        page.getByText('Please make sure that you are logged in as an admin.'),
      ).toBeVisible()
    })
  }
})
