import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.ts'
import { PASSWORD } from './people.ts'
import { openPage, settled } from './steps.ts'

/** Browsers that lack a part: storage that refuses or is full, channels. */

/** Breaks a browser before each page of it runs. */
const breaks = {
  'storage that refuses': () => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        },
      })
    window.BroadcastChannel = class {
      constructor() {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      }
    } as unknown as typeof BroadcastChannel
  },
  'storage that is full': () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  },
} as const

const notKept = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'Your browser blocks storage for this site' })

for (const [what, breakIt] of Object.entries(breaks))
  test(`${what} leaves a session on one page`, async ({ open, pool }) => {
    const investor = await pool.person()
    const page = await open(undefined, undefined, { own: {} })
    const faults: string[] = []
    // The router's own script in the document throws. Nothing waits for it.
    page.on('pageerror', ({ stack = '' }) => stack.includes('/assets/') && faults.push(stack))
    await page.addInitScript(breakIt)
    await page.goto('/login')
    await expect(notKept(page)).toBeVisible()
    await page.getByRole('button', { name: 'Switch between light and dark' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await page.getByLabel('Email').fill(investor.username)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page).toHaveURL('/dashboard')
    await settled(page)
    await expect(page.getByRole('heading', { name: 'Account Balance' })).toBeVisible()

    await test.step('choices hold as long as the page', async () => {
      await page.getByRole('button', { name: 'Hide amounts' }).click()
      await expect(page.getByText(/\$\s?\d/)).toHaveCount(0)
      await page.keyboard.press('?')
      const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await shortcuts.getByLabel(/^Use single-key shortcuts/).uncheck()
      await page.keyboard.press('Escape')
      await expect(shortcuts).toHaveCount(0)
      await page.keyboard.press('?')
      await expect(shortcuts).toHaveCount(0)
    })
    await test.step('other pages of the app know the session', async () => {
      await page.getByRole('button', { name: /^Account / }).click()
      await page
        .getByRole('navigation', { name: 'Account' })
        .getByRole('button', { name: /^Security/ })
        .click()
      await expect(page).toHaveURL('/security')
      await settled(page)
    })
    await test.step('a logout ends it', async () => {
      const ended = page.waitForRequest(/\/user\/logout$/)
      await page.getByRole('button', { name: 'Logout' }).click()
      expect((await ended).headers().authorization).toMatch(/^Bearer /)
      await expect(page).toHaveURL('/')
      await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click()
      await expect(page).toHaveURL('/login')
      await expect(notKept(page)).toBeVisible()
    })
    expect(faults).toEqual([])
  })

test('a session of one page ends by idleness', async ({ open, pool }) => {
  const investor = await pool.person()
  const page = await open(undefined, undefined, { own: {} })
  await page.addInitScript(breaks['storage that refuses'])
  await page.clock.install()
  await page.goto('/login')
  await page.getByLabel('Email').fill(investor.username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/dashboard')
  await settled(page)
  await openPage(page, /^The pool/)
  await page.getByRole('banner').getByRole('link', { name: 'Peer Lending Pool' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeVisible()
  const warning = page.getByRole('alertdialog', { name: 'Session Timeout Warning' })
  // The clock of this page begins once its script has come.
  await expect(async () => {
    await page.clock.fastForward('02:40')
    await expect(warning).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await page.clock.fastForward('00:30')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
})

test('tabs without channels share activity by storage', async ({ open, pool }) => {
  const page = await open(await pool.person(), undefined, { own: {} })
  const context = page.context()
  await context.addInitScript(() => Object.assign(window, { BroadcastChannel: undefined }))
  await context.clock.install()
  const other = await context.newPage()
  for (const [tab, path] of [
    [page, '/dashboard'],
    [other, '/'],
  ] as const) {
    await tab.goto(path)
    await settled(tab)
  }
  const warning = (tab: Page) => tab.getByRole('alertdialog', { name: 'Session Timeout Warning' })
  await context.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
  await context.clock.runFor('02:20')
  await other.keyboard.press('a')
  await context.clock.runFor('00:20')
  await expect(warning(page)).toHaveCount(0)
  await page.keyboard.press('a')
  await context.clock.runFor('02:25')
  await expect(warning(other)).toHaveCount(0)
  await context.clock.runFor('00:10')
  await expect(warning(page)).toBeVisible()
  await expect(warning(other)).toBeVisible()
})
