import { expect, test } from '@playwright/test'
import { type Sessions, screens, startSessions } from './pages.ts'
import { newInvestor, signedIn } from './prepare.ts'
import { settled, violations } from './steps.ts'

/** The frame of every page: the label of the sandbox, the account menu, the bar of a phone. */

let sessions: Sessions
test.beforeAll(async ({ playwright, baseURL }) => {
  sessions = await startSessions(playwright, baseURL)
})

const phone = { width: 375, height: 667 }

for (const { path, by } of screens)
  test(`${path} is labelled as a sandbox except in live mode`, async ({ browser, baseURL }) => {
    const context = await signedIn(browser, sessions[by], { baseURL, viewport: phone })
    const page = await context.newPage()
    await page.goto(path)
    await settled(page)
    const label = page.getByRole('complementary', { name: 'Sandbox' })
    await expect(label).toHaveText('Sandbox All money here is play money.')
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await expect(label).toBeInViewport({ ratio: 1 })
    await page.evaluate(() => {
      document.documentElement.dataset.poolMode = 'live'
    })
    await expect(label).toBeHidden()
    await context.close()
  })

for (const [name, viewport] of [
  ['wide', { width: 1280, height: 800 }],
  ['phone', phone],
] as const)
  test(`the account menu works by keyboard on a ${name} screen`, async ({
    browser,
    baseURL,
    request,
  }) => {
    const investor = await newInvestor(request)
    const context = await signedIn(browser, investor, { baseURL, viewport })
    const page = await context.newPage()
    await page.goto('/dashboard')
    await settled(page)
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
    await menu.getByRole('button', { name: 'Log out' }).press('Enter')
    await expect(page).toHaveURL('/')
    await context.close()
  })

test('staff have no payout address in their menu', async ({ browser, baseURL }) => {
  const context = await signedIn(browser, sessions.admin, { baseURL })
  const page = await context.newPage()
  await page.goto('/admin')
  await settled(page)
  await page.getByRole('button', { name: /^Account / }).click()
  const menu = page.getByRole('navigation', { name: 'Account' })
  await expect(menu.getByRole('button')).toHaveText([
    /^Security/,
    /^Mailbox/,
    /^Undelivered mails/,
    'Shortcuts',
    'Log out',
  ])
  await context.close()
})

test('a phone has the three actions below, toasts above them', async ({ browser, baseURL }) => {
  const context = await signedIn(browser, sessions.investor, { baseURL, viewport: phone })
  const page = await context.newPage()
  await page.goto('/dashboard')
  await settled(page)
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
  await context.close()
})

for (const [path, link] of [
  ['/admin', 'Audit trail'],
  ['/login', 'Create an account'],
] as const)
  test(`the page after ${path} begins at its top`, async ({ browser, baseURL }) => {
    const context = await signedIn(browser, path === '/admin' ? sessions.admin : sessions.visitor, {
      baseURL,
      viewport: { width: 375, height: 400 },
    })
    const page = await context.newPage()
    await page.goto(path)
    await settled(page)
    const next = page.getByRole('link', { name: link })
    await page.evaluate(() => window.scrollTo(0, 300))
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100)
    await next.evaluate((element) => (element as HTMLElement).click())
    await expect(next).toHaveCount(0)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    await context.close()
  })

test('a paused action is off and says so', async ({ browser, baseURL }) => {
  const context = await signedIn(browser, sessions.investor, { baseURL })
  const page = await context.newPage()
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
  await context.close()
})
