import { expect } from '@playwright/test'
import { violations } from './axe.ts'
import { test } from './fixtures.ts'
import { busyInvestor } from './prepare.ts'
import { settled } from './steps.ts'
import { DESK, PHONE } from './widths.ts'

/** The frame of every page: the account menu, the bar of a phone, the top of the next page. */

const phone = { ...PHONE, height: 667 }

for (const [name, viewport] of [
  ['wide', DESK],
  ['phone', phone],
] as const)
  test(`the account menu works by keyboard on a ${name} screen`, async ({ open, pool }) => {
    const investor = await pool.person()
    const page = await open(investor, '/dashboard', { viewport })
    const opener = page.getByRole('button', { name: /^Account / })
    const menu = page.getByRole('navigation', { name: 'Account' })
    await opener.press('Enter')
    await expect(menu).toContainText(investor.username)
    await expect(menu).toBeInViewport({ ratio: 1 })
    expect(await violations(page, 'header')).toEqual([])
    await expect(menu.getByRole('link', { name: 'Español' })).toHaveAttribute('href', /lang=es/)
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(opener).toBeFocused()
    for (const [entry, title] of [
      [/^Payout address/, 'Payout address'],
      [/^Shortcuts/, 'Keyboard shortcuts'],
    ] as const) {
      await opener.press('Enter')
      await menu.getByRole('button', { name: entry }).press('Enter')
      const dialog = page.getByRole('dialog', { name: title })
      await expect(dialog).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(opener).toBeFocused()
    }
    await opener.press('Enter')
    await menu.getByRole('button', { name: /^Security/ }).press('Enter')
    await expect(page).toHaveURL('/security')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await opener.press('Enter')
    await menu.getByRole('button', { name: 'Sign out' }).press('Enter')
    await expect(page).toHaveURL('/')
  })

test('staff have no payout address in their menu', async ({ open, people }) => {
  const page = await open(people.superAdmin, '/admin')
  await page.getByRole('button', { name: /^Account / }).click()
  const menu = page.getByRole('navigation', { name: 'Account' })
  await expect(menu.getByRole('button')).toHaveText([/^Security/, 'Shortcuts', 'Sign out'])
})

test('a phone has the three actions below, toasts above them', async ({ open, pool }) => {
  const page = await open(await busyInvestor(pool), '/dashboard', { viewport: phone })
  const bar = page.getByRole('region', { name: 'Actions', exact: true })
  await expect(bar.getByRole('button')).toHaveText([/^Deposit/, /^Withdraw/, /^Invest/])
  const boxOf = async (name: RegExp) => bar.getByRole('button', { name }).boundingBox()
  expect(await boxOf(/^Deposit/)).toMatchObject({ x: 8 })
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expect(bar).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: /^Save an address|^Change$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Payout address' })
  await dialog.getByLabel('Network').selectOption('Bitcoin')
  await dialog.getByLabel('Address').fill('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq')
  await dialog.getByRole('button', { name: 'Save address' }).click()
  const toast = page.getByRole('status').filter({ hasText: 'Payout address saved' })
  await expect(toast).toBeInViewport({ ratio: 1 })
  const [said, actions] = [await toast.boundingBox(), await bar.boundingBox()]
  expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(actions?.y ?? 0)
})

for (const [path, link] of [
  ['/admin', 'Audit trail'],
  ['/login', 'Create an account'],
] as const)
  test(`the page after ${path} begins at its top`, async ({ open, people }) => {
    const page = await open(path === '/admin' ? people.superAdmin : undefined, path, {
      viewport: { width: 375, height: 400 },
    })
    const next = page.getByRole('link', { name: link })
    await page.evaluate(() => window.scrollTo(0, 300))
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100)
    await next.evaluate((element) => (element as HTMLElement).click())
    await expect(next).toHaveCount(0)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  })

test('a paused action is off and says so', async ({ open, people }) => {
  const page = await open(people.investor)
  await page.route('**/pauses', (route) =>
    route.fulfill({
      json: {
        successful: true,
        narration: '',
        body: ['deposits', 'withdrawals', 'investing'].map((name) => ({
          name,
          reason: 'A drill.',
          since: [2026, 3, 5, 5, 6, 7, 0],
        })),
      },
    }),
  )
  await page.goto('/dashboard')
  await settled(page)
  for (const [action, label] of [
    [/^Deposit /, 'Deposits are paused'],
    [/^Withdraw /, 'Withdrawals are paused'],
    [/^Invest /, 'Investing is paused'],
  ] as const) {
    await page.getByRole('button', { name: action }).click()
    const submit = page.getByRole('dialog').getByRole('button', { name: label })
    await expect(submit).toBeDisabled()
    await submit.press('Enter')
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})
