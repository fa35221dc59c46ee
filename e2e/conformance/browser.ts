import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { storageKeys } from '@pool/contract/accounts/session'
import type { Role } from '@pool/contract/accounts/users'
import { EMAIL, leave, TOKEN, USER_ID } from './answers.ts'

/** A signed-in browser: `test.use({ role: 'admin' })`. Without a role it is signed out. */
export const test = base.extend<{ role: Role | null }>({
  role: [null, { option: true }],
  // `storageState` would need a new context for each test.
  page: async ({ role, page }, use) => {
    const entries = {
      [storageKeys.token]: TOKEN,
      [storageKeys.username]: EMAIL,
      [storageKeys.userId]: USER_ID,
      [storageKeys.role]: role,
    }
    if (role) {
      await page.goto('/robots.txt')
      await page.evaluate((stored) => Object.assign(localStorage, stored), entries)
    }
    await use(page)
    // Pending calls do not matter any more.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await leave(page)
    await page.context().setOffline(false)
  },
})

/** The four keys of browser storage, in the order token, username, userId, userRole. */
export const stored = (page: Page): Promise<(string | null)[]> =>
  page.evaluate(() =>
    ['token', 'username', 'userId', 'userRole'].map((key) => localStorage.getItem(key)),
  )

export const NOTHING_STORED = [null, null, null, null]

export const button = (within: Page | Locator, name: string | RegExp): Locator =>
  within.getByRole('button', { name, exact: typeof name === 'string' })

/** The rows of a table's body that contain all of these texts. */
export const rows = (within: Page | Locator, ...texts: readonly (string | RegExp)[]): Locator =>
  texts.reduce<Locator>(
    (found, hasText) => found.filter({ hasText }),
    within.getByRole('row').filter({ has: within.getByRole('cell') }),
  )

/** Collects the page's console, for failures that are only logged. */
export const listen = (page: Page): string[] => {
  const heard: string[] = []
  page.on('console', (message) => heard.push(message.text()))
  return heard
}

/** Opens an investor's dashboard and one of its dialogs. */
export const openDialog = async (
  page: Page,
  action: 'Deposit' | 'Withdraw' | 'Invest',
): Promise<Locator> => {
  await button(page.getByRole('region', { name: 'Actions' }), new RegExp(`^${action} `)).click()
  const names = {
    Deposit: 'Initiate Deposit',
    Withdraw: 'Initiate Withdrawal',
    Invest: 'Make Investment',
  }
  const dialog = page.getByRole('dialog', { name: names[action] })
  await expect(dialog).toBeVisible()
  return dialog
}

/** Stops the installed clock a second from now, since a past moment is refused. */
export const stopClock = async (page: Page): Promise<void> =>
  page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))

/** The effect of a timeout takes a few turns of the stopped clock. */
export const settles = (page: Page, isSo: () => Promise<boolean>) =>
  expect
    .poll(async () => {
      await page.clock.runFor(1)
      return isSo()
    })
    .toBe(true)

/**
 * Serves the pages with other configuration values. Drops their Content-Security-Policy, which
 * allows the product's own host alone.
 */
export const configured = (page: Page, changes: Readonly<Record<string, string>>) =>
  page.route(
    ({ pathname }) => !pathname.startsWith('/api') && !pathname.includes('.'),
    async (route) => {
      const response = await route.fetch()
      const block = /(<script type="application\/json" id="configuration"[^>]*>)(.*?)(<\/script>)/s
      const body = (await response.text()).replace(
        block,
        (_, start, json, end) => start + JSON.stringify({ ...JSON.parse(json), ...changes }) + end,
      )
      const { 'content-security-policy': _, ...headers } = response.headers()
      await route.fulfill({ response, headers, body })
    },
  )
