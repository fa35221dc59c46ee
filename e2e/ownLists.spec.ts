import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { test } from './fixtures.ts'
import { withoutChanges } from './steps.ts'

/** An investor's own lists: total, scrolling, and search, sort and filters as URL state. */

test('the list states its total and grows by scrolling', async ({ open, people }) => {
  const page = await open(people.investor)
  await withoutChanges(page)
  // Pages of five rows give an ordinary list several pages.
  const asked: string[] = []
  await page.route('**/api/v1/public/transaction?*', (route) => {
    const url = route.request().url().replace('limit=25', 'limit=5')
    asked.push(url)
    return route.continue({ url })
  })
  await page.goto('/dashboard')
  const heading = page.getByRole('heading', { name: /^Recent Transactions \(\d+\)$/ })
  const total = Number(/\((\d+)\)/.exec((await heading.textContent()) ?? '')?.[1])
  expect(total).toBeGreaterThan(5)
  const list = page.getByRole('table', { name: /^Recent Transactions/ })
  await list.getByRole('row').last().scrollIntoViewIfNeeded()
  await expect(list.getByRole('row')).toHaveCount(total + 1)
  expect(asked.filter((url) => url.includes('cursor=')).length).toBeGreaterThan(0)
})

test('URL state restores sort and filters, and the export follows', async ({ open, people }) => {
  const page = await open(people.investor, '/dashboard')
  const list = page.getByRole('table', { name: /^Recent Transactions/ })
  await list.getByRole('button', { name: 'Amount' }).click()
  await expect(list.getByRole('row').nth(1)).toContainText('$4,250.50')
  await page.getByRole('button', { name: 'Filters' }).first().click()
  await page.getByRole('checkbox', { name: 'Withdrawal' }).click()
  await expect(page.getByRole('heading', { name: 'Recent Transactions (2)' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Recent Transactions (2)' })).toBeVisible()
  await expect(list.getByRole('row').nth(1)).toContainText('$80.00')

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).first().click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]?.split(',')[2]).toBe('-80.00')
  expect(lines[1]).toContain('unreadable')
})

test('rows of own lists tell what happened', async ({ open, people }) => {
  const page = await open(people.investor, '/dashboard')
  await test.step('a list is as high as its rows, up to a limit', async () => {
    const list = page.getByRole('table', { name: /^Recent Transactions/ })
    await expect(page.getByRole('heading', { name: /Recent Transactions \(8\)/ })).toBeVisible()
    expect(
      (
        await list
          .page()
          .getByRole('region', { name: /^Recent/ })
          .boundingBox()
      )?.height,
    ).toBe(352)
  })
  await test.step('an investment tells its plan, growth and time left', async () => {
    const list = page.getByRole('table', { name: /^My Investments/ })
    const long = list.getByRole('row').filter({ hasText: '$1,000.00' })
    await expect(long).toContainText('$1,000.00 → $1,070.00')
    await expect(long).toContainText(/\d+ (hour|minute)s? left/)
    const id = long.getByRole('link').first()
    // Shown in short, read as a whole.
    expect((await id.boundingBox())?.width).toBeLessThan(110)
    await expect(id).toHaveAccessibleName(/^[0-9a-f-]{36}$/)
    await expect(list.getByRole('row').filter({ hasText: '$120.25' })).not.toContainText('left')
  })
  await test.step('amounts have signs, payouts have parts, ages are on hover', async () => {
    const list = page.getByRole('table', { name: /^Recent Transactions/ })
    const cells = (text: RegExp) => list.getByRole('row').filter({ hasText: text })
    await expect(cells(/First savings/)).toContainText('+$4,250.50')
    await expect(cells(/Rent/)).toContainText('−$40.00')
    await expect(cells(/cannot be read/)).toContainText('−$80.00')
    await expect(cells(/payout/)).toContainText('interest $4.81 + principal $120.25')
    const moment = cells(/Rent/).locator('time').first()
    await expect(moment).toHaveText(/^[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d/)
    await moment.hover()
    await expect(moment).toHaveAttribute('title', /\((now|\d+ (second|minute)s? ago)\)$/)
    // The style of the badge turns the contract's word into sentence case.
    const badge = cells(/Rent/).getByText('PENDING', { exact: true })
    expect(await badge.innerText()).toBe('Pending')
  })
  await test.step('a short list is as high as its rows', async () => {
    await page.goto('/dashboard?transactions-type=payout')
    const list = page.getByRole('table', { name: /^Recent Transactions \(1\)/ })
    await expect(list.getByRole('row')).toHaveCount(2)
    const [box, table] = [await list.locator('..').boundingBox(), await list.boundingBox()]
    expect(Math.abs((box?.height ?? 0) - (table?.height ?? 0))).toBeLessThan(4)
  })
  await test.step('a row of a list opens its story', async () => {
    await page.goto('/dashboard?transactions-type=withdrawal')
    await page
      .getByRole('table', { name: /^Recent Transactions/ })
      .getByRole('link', { name: 'withdrawal' })
      .first()
      .click()
    await expect(page.getByRole('dialog')).toContainText('$40.00')
    await expect(page).toHaveURL(/transactions-type=withdrawal.*&transaction=/)
  })
})
