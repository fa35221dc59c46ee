import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { networks } from '@pool/contract/base/networks'
import type { Network } from '@pool/contract/chain/wallets'
import { confirm, reject } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { listTransactions, transactionStatuses } from '@pool/contract/requests/transactions'
import { test } from './fixtures.ts'
import type { Session } from './people.ts'
import type { Pool } from './pool.ts'
import { newWallet } from './prepare.ts'
import { rows } from './steps.ts'

/**
 * The admin's long list of transactions: paging, order, filters and search by the server, URL
 * state, export.
 */

// In turn, so that the list is filled once.
test.describe.configure({ mode: 'default' })

const DEPOSITS = 100
const WITHDRAWALS = 20
const ALL = DEPOSITS + WITHDRAWALS
const FORMULA = '=HYPERLINK("http://example.com")'

let investor: Session
let admin: Session
/** The networks of the investor's wallet and of no row. */
let network: Network
let otherNetwork: Network

/**
 * Deposits of $10 to $109, then withdrawals of $10 to $29 of which two are rejected. No row changes
 * by itself.
 */
const fill = async (pool: Pool) => {
  admin = await pool.superAdmin()
  investor = await pool.person()
  const { userId } = investor
  await newWallet(pool, admin)
  const amounts = (count: number) => Array.from({ length: count }, (_, index) => 10 + index)
  const described = (amount: number) => (amount === 11 ? { description: FORMULA } : {})
  // Each is confirmed before the next request, because at most 20 may wait.
  for (const amount of amounts(DEPOSITS)) {
    const { transactionId, networkName } = await pool.call(deposit, investor, {
      userId,
      amount,
      ...described(amount),
    })
    network = networks.find(({ name }) => name === networkName) as Network
    otherNetwork = networks.find(({ name }) => name !== networkName) as Network
    await pool.call(confirm, admin, { transactionId })
  }
  const withdrawals = await Promise.all(
    amounts(WITHDRAWALS).map((amount) => pool.call(withdraw, investor, { userId, amount })),
  )
  for (const { transactionId } of withdrawals.slice(0, 2))
    await pool.call(reject, admin, { reason: 'Not now' }, { id: transactionId })
}

let page: Page

test.beforeAll(({ pool }) => fill(pool))
test.beforeEach(async ({ open }) => {
  page = await open(admin)
})

/** The shown range and the total. */
const range = (within: Page = page) =>
  within.getByRole('navigation', { name: 'Pages' }).getByRole('status')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const chips = () => page.getByRole('list', { name: 'Filters that are set' }).getByRole('listitem')
const firstRow = () => rows(page, investor.username).first()
const address = (values: Readonly<Record<string, string>> = {}) => {
  const named = Object.entries({ search: investor.username, ...values }).map(([key, value]) => [
    `transactions-${key}`,
    value,
  ])
  return `/admin?${new URLSearchParams([['tab', 'transactions'], ...named])}`
}

test('the server pages, sorts and filters by URL state', async () => {
  await page.goto('/admin?tab=transactions')
  await page.getByRole('searchbox').fill(investor.username)
  await page.waitForURL(/search=/)
  await expect(range()).toHaveText(`1–50 of ${ALL}`)
  // Two quick presses go one page on, and one step back.
  await expect(button('Next')).toBeEnabled()
  await button('Next').evaluate(async (next: HTMLButtonElement) => {
    const { search } = window.location
    next.click()
    while (window.location.search === search) await new Promise((resolve) => setTimeout(resolve))
    next.click()
  })
  // The URL changes before the rows, which then enable the button.
  await expect(range()).toHaveText(`51–100 of ${ALL}`)
  await page.goBack()
  await expect(range()).toHaveText(`1–50 of ${ALL}`)
  await button('Next').click()
  await expect(range()).toHaveText(`51–100 of ${ALL}`)
  await button('Next').click()
  await expect(range()).toHaveText(`101–${ALL} of ${ALL}`)
  await page.goBack()
  await expect(range()).toHaveText(`51–100 of ${ALL}`)
  await page.reload()
  await expect(range()).toHaveText(`51–100 of ${ALL}`)
  await expect(rows(page, investor.username)).toHaveCount(50)
  await button('Previous').click()
  await expect(range()).toHaveText(`1–50 of ${ALL}`)

  await button('Amount').click()
  await expect(firstRow()).toContainText('$109.00')
  await expect(page.getByRole('columnheader', { name: 'Amount' })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  await button('Filters').click()
  await page.getByRole('checkbox', { name: 'Withdrawal' }).click()
  await expect(range()).toHaveText(`1–${WITHDRAWALS} of ${WITHDRAWALS}`)
  await page.getByRole('checkbox', { name: 'Rejected' }).click()
  await expect(range()).toHaveText('1–2 of 2')
  await expect(firstRow()).toContainText('$11.00')

  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(range(other)).toHaveText('1–2 of 2')
  await other.close()

  await page.goBack()
  await expect(range()).toHaveText(`1–${WITHDRAWALS} of ${WITHDRAWALS}`)
  const today = await page.evaluate(() => new Date().toLocaleDateString('sv'))
  await page.getByLabel('From', { exact: true }).fill(today)
  await page.getByLabel('To', { exact: true }).fill(today)
  await expect(chips()).toHaveText([/^Type Withdrawal/, /^Created /, 'Clear filters'])
  await expect(range()).toHaveText(`1–${WITHDRAWALS} of ${WITHDRAWALS}`)
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await expect(page.getByText('Nothing matches')).toBeVisible()
  await page.keyboard.press('Escape')
  await button('Show everything').click()
  await expect(page.getByText('Nothing matches')).toHaveCount(0)
  await expect(page).toHaveURL('/admin?tab=transactions')
  await expect(page.getByRole('searchbox')).toHaveValue('')
})

test('chips show, change and remove filters by amount and network', async () => {
  await page.goto(address({ network: network.name }))
  await expect(range()).toHaveText(`1–50 of ${DEPOSITS}`)
  await expect(chips()).toHaveText([`Network ${network.displayName}`, 'Clear filters'])
  await button('Filters').press('Enter')
  await expect(page.getByRole('group', { name: 'Status' }).getByRole('checkbox')).toHaveCount(
    transactionStatuses.length,
  )
  await expect(page.getByText('Pending', { exact: true })).toBeVisible()
  await page.getByLabel('At least').fill('100')
  await expect(range()).toHaveText('1–10 of 10')
  await page.getByLabel('At most').fill('1.005')
  await expect(page.getByRole('alert')).toHaveText(/at most two decimals/)
  await page.getByLabel('At most').fill('2.500')
  await expect(page.getByRole('alert')).toHaveText(/at most two decimals/)
  await page.getByLabel('At most').fill('$104.99')
  await expect(range()).toHaveText('1–5 of 5')
  await expect(page.getByRole('tab', { name: 'Transactions (5)' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(button('Filters')).toBeFocused()

  const chip = page.getByRole('button', { name: 'Amount $100.00 – $104.99' })
  await chip.press('Enter')
  await expect(page.getByLabel('At least')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(chip).toBeFocused()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button('Export CSV').click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  expect(text.trimEnd().split('\r\n')).toHaveLength(6)

  await page.setViewportSize({ width: 375, height: 812 })
  await expect(page.getByRole('list', { name: 'Filters that are set' })).toHaveCSS(
    'overflow-x',
    'auto',
  )
  for (const each of await chips().all())
    expect((await each.boundingBox())?.height ?? 0).toBeLessThan(44)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  await button('Remove the filter Amount').click()
  await expect(range()).toHaveText(`1–50 of ${DEPOSITS}`)
  await expect(button('Filters')).toBeFocused()
  expect(page.url()).not.toContain('amount')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(address({ network: otherNetwork.name }))
  await expect(page.getByText('Nothing matches')).toBeVisible()
})

test('unknown URL state shows the list, and cards offer orders', async () => {
  const refused: string[] = []
  page.on('response', (response) => response.status() === 400 && refused.push(response.url()))
  await page.setViewportSize({ width: 375, height: 812 })
  await page.goto(
    address({
      sort: 'password',
      order: 'up',
      size: '7',
      from: 'yesterday',
      to: '2026-02-30',
      status: 'GONE',
      skipped: '-5',
    }),
  )
  await expect(range()).toHaveText(`1–50 of ${ALL}`)
  expect(refused).toEqual([])
  const order = page.getByRole('combobox', { name: 'Sort by' })
  await expect(order).toHaveValue('createdAt desc')
  await order.selectOption('Amount: highest')
  await expect(firstRow()).toContainText('$109.00')
  await expect(page).toHaveURL(/transactions-sort=amount/)
  await page.setViewportSize({ width: 1280, height: 900 })
  await expect(order).toBeHidden()
  await expect(page.getByRole('columnheader', { name: 'Amount' })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
})

test('the export follows filters and ends with its page', async () => {
  // Pages of fifty make several. The second one waits until the test releases it.
  const held = Promise.withResolvers<void>()
  await page.route(`**${listTransactions.path}?*limit=1000*`, async (route) => {
    const url = route.request().url().replace('limit=1000', 'limit=50')
    if (url.includes('cursor=')) await held.promise
    // The page may be closed by now.
    await route.continue({ url }).catch(() => undefined)
  })
  const downloads: string[] = []
  page.on('download', (download) => downloads.push(download.suggestedFilename()))
  await page.goto(address({ type: 'deposit', sort: 'amount', order: 'asc' }))
  await expect(range()).toHaveText(`1–50 of ${DEPOSITS}`)

  await button('Export CSV').click()
  await expect(page.getByRole('progressbar', { name: 'Exporting' })).toHaveAttribute('value', '50')
  await expect(page.getByText(`50 of ${DEPOSITS}`, { exact: true })).toBeVisible()
  const ended = page.waitForEvent('requestfailed', (request) =>
    request.url().includes('limit=1000'),
  )
  await page.getByRole('tab', { name: /^Investments/ }).click()
  await ended
  await page.goBack()
  await expect(range()).toHaveText(`1–50 of ${DEPOSITS}`)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button('Export CSV').click(),
    held.resolve(),
  ])
  expect(download.suggestedFilename()).toMatch(/^transactions-\d{4}-\d\d-\d\d\.csv$/)
  const text = await readFile(await download.path(), 'utf8')
  expect(text.startsWith('\u{feff}ID,')).toBe(true)
  const lines = text.trimEnd().split('\r\n')
  expect(lines).toHaveLength(DEPOSITS + 1)
  const [heading, first, second] = lines.map((line) => line.split(','))
  const cell = (line: string[] | undefined, name: string) => line?.[heading?.indexOf(name) ?? -1]
  expect(cell(first, 'Amount (USD)')).toBe('10.00')
  expect(cell(first, 'Created (UTC)')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(cell(second, 'Description')).toBe(`"'${FORMULA.replaceAll('"', '""')}"`)
  expect(downloads).toHaveLength(1)
})

test("the browser pages a server's whole lists by itself", async () => {
  const row = (index: number) => ({
    id: `foreign-${index}`,
    userId: investor.userId,
    username: investor.username,
    type: index % 3 === 0 ? 'withdrawal' : 'deposit',
    amount: 1_000 + index,
    status: 'APPROVED',
    createdAt: [2026, 3, 4, 5, index % 60],
  })
  const body = Array.from({ length: ALL }, (_, index) => row(index))
  await page.route(
    ({ pathname }) => pathname === listTransactions.path,
    (route) => route.fulfill({ json: { successful: true, narration: 'OK', body } }),
  )
  await page.goto(address({ sort: 'amount' }))
  await expect(page.getByRole('tab', { name: `Transactions (${ALL})` })).toBeVisible()
  await expect(range()).toHaveText(`1–50 of ${ALL}`)
  await expect(firstRow()).toContainText('$1,119.00')
  await button('Next').click()
  await expect(range()).toHaveText(`51–100 of ${ALL}`)
  await expect(firstRow()).toContainText('$1,069.00')
  await button('Filters').click()
  await page.getByRole('checkbox', { name: 'Withdrawal' }).click()
  await expect(range()).toHaveText('1–40 of 40')
})
