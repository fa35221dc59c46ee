import { expect } from '@playwright/test'
import { test } from './fixtures.ts'
import { chooseInMenu, settled } from './steps.ts'

/** The keyboard: single keys, and the focus of the next page. */

test('single keys open dialogs, except during typing and dialogs', async ({ open, people }) => {
  const page = await open(people.investor, '/dashboard')
  const dialog = page.getByRole('dialog')
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
})

test('switched-off single keys stay off and do nothing', async ({ open, people }) => {
  const page = await open(people.superAdmin, '/admin')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await chooseInMenu(page, /^Shortcuts$/)
  await dialog.getByLabel(/^Use single-key shortcuts/).uncheck()
  await page.reload()
  await settled(page)
  await page.keyboard.press('?')
  await chooseInMenu(page, /^Shortcuts$/)
  await expect(dialog.getByLabel(/^Use single-key shortcuts/)).not.toBeChecked()
})

test("a link moves the focus to the page's heading", async ({ open }) => {
  const page = await open(undefined, '/login')
  await page.getByRole('link', { name: 'Create an account' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})
