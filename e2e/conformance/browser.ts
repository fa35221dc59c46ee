import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { storageKeys } from '@pool/contract/session'
import type { Role } from '@pool/contract/users'
import { EMAIL, leave, TOKEN, USER_ID } from './answers.ts'

/**
 * A browser in which somebody is signed in already: `test.use({ role: 'admin' })`; nobody unless it
 * says so.
 */
export const test = base.extend<{ role: Role | null }>({
  role: [null, { option: true }],
  // Not by `storageState`, which would need a context of its own for each test.
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
    // What is still on its way concerns nobody any more.
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

/** The rows of a table's body that mention all of these. */
export const rows = (within: Page | Locator, ...texts: readonly (string | RegExp)[]): Locator =>
  texts.reduce<Locator>(
    (found, hasText) => found.filter({ hasText }),
    within.getByRole('row').filter({ has: within.getByRole('cell') }),
  )

/** What the page writes to its console, for the failures that are only logged. */
export const listen = (page: Page): string[] => {
  const heard: string[] = []
  page.on('console', (message) => heard.push(message.text()))
  return heard
}

/** Opens the dashboard of an investor and one of its dialogs. */
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

/**
 * Stops the clock that was installed, a second from now: a moment that had passed already would be
 * refused.
 */
export const stopClock = async (page: Page): Promise<void> =>
  page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))

/** What follows a time limit takes a few turns of a clock that stands still otherwise. */
export const settles = (page: Page, isSo: () => Promise<boolean>) =>
  expect
    .poll(async () => {
      await page.clock.runFor(1)
      return isSo()
    })
    .toBe(true)

/**
 * Sends the pages with other values in their configuration; without their Content-Security-Policy,
 * which is the product's own host's.
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
