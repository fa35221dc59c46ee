import { expect, test } from '@playwright/test'
import { type Sessions, screens, startSessions } from './pages.ts'
import { signedIn } from './prepare.ts'
import { chooseInMenu, settled } from './steps.ts'

let sessions: Sessions
test.beforeAll(async ({ playwright, baseURL }) => {
  sessions = await startSessions(playwright, baseURL)
})

test.describe('the keyboard', () => {
  test('single keys open dialogs, except during typing and dialogs', async ({
    browser,
    baseURL,
  }) => {
    const context = await signedIn(browser, sessions.investor, { baseURL })
    const page = await context.newPage()
    const dialog = page.getByRole('dialog')
    await page.goto('/dashboard')
    await settled(page)
    for (const [key, name] of [
      ['d', 'Initiate Deposit'],
      ['w', 'Initiate Withdrawal'],
      ['i', 'Make Investment'],
      ['?', 'Keyboard shortcuts'],
    ] as const) {
      await page.keyboard.press(key)
      await expect(page.getByRole('dialog', { name })).toBeVisible()
      await page.keyboard.press('w')
      await expect(dialog).toHaveCount(1)
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    }
    await page.keyboard.press('Alt+d')
    const requested = page.waitForRequest(/\/balance/)
    await page.keyboard.press('r')
    await requested
    await expect(dialog).toHaveCount(0)
    await context.close()
  })

  test('switched-off single keys stay off and do nothing', async ({ browser, baseURL }) => {
    const context = await signedIn(browser, sessions.admin, { baseURL })
    const page = await context.newPage()
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await page.goto('/admin')
    await settled(page)
    await chooseInMenu(page, /^Shortcuts$/)
    await dialog.getByLabel(/^Use single keys/).uncheck()
    await page.reload()
    await settled(page)
    await page.keyboard.press('?')
    await chooseInMenu(page, /^Shortcuts$/)
    await expect(dialog.getByLabel(/^Use single keys/)).not.toBeChecked()
    await context.close()
  })

  for (const { path, by } of screens) {
    test(`the first Tab on ${path} skips the bar`, async ({ browser, baseURL }) => {
      const context = await signedIn(browser, sessions[by], { baseURL })
      const page = await context.newPage()
      await page.goto(path)
      await settled(page)
      await page.bringToFront()
      await page.keyboard.press('Tab')
      await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page.locator('main')).toBeFocused()
      await context.close()
    })
  }

  test("a link moves the focus to the page's heading", async ({ page }) => {
    await page.goto('/login')
    await settled(page)
    await page.getByRole('link', { name: 'Create an account' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })
})
