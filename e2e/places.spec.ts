import { expect, type Page } from '@playwright/test'
import { confirm } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import { newAddress } from '../server/testing/addresses.ts'
import { test } from './fixtures.ts'
import type { Session } from './people.ts'
import type { Pool } from './pool.ts'
import { newWallet } from './prepare.ts'
import { rows, settled, still } from './steps.ts'

/** The table of transactions while people decide: rows keep their places, presses their rows. */

let pool: Pool
let investor: Session
let page: Page

test.beforeEach(async ({ open, people, pool: given }) => {
  pool = given
  investor = await pool.person()
  await newWallet(pool, people.superAdmin)
  page = await open(people.superAdmin)
})

const ask = (amount: number) => pool.call(deposit, investor, { userId: investor.userId, amount })

const open = async (filters: Readonly<Record<string, string>> = {}) => {
  const chosen = { search: investor.username, ...filters }
  const named = Object.entries(chosen).map(([key, value]) => [`transactions-${key}`, value])
  await page.goto(`/admin?${new URLSearchParams([['tab', 'transactions'], ...named])}`)
  await settled(page)
  await still(page)
}

const statuses = async (): Promise<readonly string[]> =>
  (await pool.call(listTransactions, investor)).map(({ status }) => status).toSorted()

const approveIn = (amount: string) =>
  rows(page, investor.username, amount).getByRole('button', { name: 'Approve Deposit' })
const isAlive = (amount: string) => expect(approveIn(amount)).not.toHaveAttribute('aria-disabled')
/** The place of a row on the page. A key may scroll the page. */
const topOf = (amount: string) =>
  rows(page, investor.username, amount).evaluate(
    (row) => row.getBoundingClientRect().top + window.scrollY,
  )
/** Fractions of a pixel come from the zoom of the browser. */
const staysUnmoved = async (amount: string, before: number) =>
  expect(Math.abs((await topOf(amount)) - before)).toBeLessThan(1)
/** Submits the next dialog's form as it appears, as an Enter does that was pressed too early. */
const submitWhenShown = () =>
  page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const form = document.querySelector<HTMLFormElement>('[role="dialog"] form')
      if (!form) return
      observer.disconnect()
      form.requestSubmit()
      document.documentElement.dataset.submitted = '1'
    })
    observer.observe(document.body, { childList: true, subtree: true })
  })
const hasFocus = () => page.evaluate(() => document.activeElement !== document.body)

test('two presses at one place approve one deposit', async () => {
  for (const amount of [41, 42]) await ask(amount)
  await open({ status: 'PENDING' })
  await isAlive('$42.00')
  await approveIn('$42.00').click({ position: { x: 20, y: 10 } })
  await page.waitForTimeout(450)
  // The button has gone from this place.
  await page.mouse.down()
  await page.mouse.up()
  await expect(rows(page, investor.username, '$42.00')).toContainText('Approved')
  await page.waitForTimeout(1_500)
  expect(await statuses()).toEqual(['APPROVED', 'PENDING'])
  expect(await hasFocus()).toBe(true)
})

test('an arriving deposit moves no row under the pointer', async () => {
  for (const amount of [51, 52]) await ask(amount)
  await open()
  await approveIn('$51.00').hover()
  const before = await topOf('$51.00')
  await ask(53)
  const news = page.getByRole('tabpanel').getByRole('button', { name: '1 new' })
  await expect(news).toBeVisible()
  await expect(rows(page, investor.username, '$53.00')).toHaveCount(0)
  await staysUnmoved('$51.00', before)
  await news.click()
  await expect(approveIn('$51.00')).toHaveAttribute('aria-disabled', 'true')
  await expect(rows(page, investor.username, '$53.00')).toHaveCount(1)
  await expect(news).toHaveCount(0)
  expect(await hasFocus()).toBe(true)
  await isAlive('$51.00')
})

test('a decided row stays until the list is loaded again', async () => {
  for (const amount of [61, 62, 63]) await ask(amount)
  await open({ status: 'PENDING' })
  const before = await topOf('$61.00')
  await isAlive('$62.00')
  await approveIn('$62.00').click()
  await expect(rows(page, investor.username, '$62.00')).toContainText('Approved')
  await staysUnmoved('$61.00', before)
  await expect.poll(() => hasFocus()).toBe(true)
  await page.getByRole('button', { name: 'Refresh Data' }).click()
  await expect(rows(page, investor.username, '$62.00')).toHaveCount(0)
  await expect(rows(page, investor.username)).toHaveCount(2)
})

test('a large decision asks once, and its toast links', async () => {
  await ask(12_000)
  await open()
  await isAlive('$12,000.00')
  await approveIn('$12,000.00').click()
  const dialog = page.getByRole('dialog', { name: 'Confirm deposit' })
  await expect(dialog).toContainText(`$12,000.00 from ${investor.username}`)
  expect(await statuses()).toEqual(['PENDING'])
  await dialog.getByRole('button', { name: 'Approve Deposit' }).click()
  const toast = page
    .getByRole('status')
    .filter({ hasText: `$12,000.00 credited to ${investor.username}.` })
  await expect(toast).toBeVisible()
  await toast.getByRole('link', { name: 'See it' }).click()
  await expect(page.getByRole('dialog', { name: 'Deposit' })).toContainText('Deposit confirmed')

  await pool.call(withdraw, investor, {
    userId: investor.userId,
    amount: 11_000,
    destinationAddress: newAddress('Bitcoin'),
  })
  await open({ type: 'withdrawal' })
  const approve = rows(page, investor.username, '$11,000.00').getByRole('button', {
    name: 'Approve Withdrawal',
  })
  await expect(approve).not.toHaveAttribute('aria-disabled')
  await approve.click()
  const asked = page.getByRole('dialog', { name: 'Approve a large withdrawal' })
  await expect(asked).toContainText(`Approve $11,000.00 for ${investor.username}?`)
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(asked).toBeHidden()
  expect(await statuses()).toEqual(['APPROVED', 'PENDING'])
})

test('a second Enter does not confirm the dialog it opened', async () => {
  await ask(12_000)
  await open()
  const confirmations: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(confirm.path)) confirmations.push(request.method())
  })
  await isAlive('$12,000.00')
  await submitWhenShown()
  await approveIn('$12,000.00').press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Confirm deposit' })
  await expect(dialog.getByRole('textbox').first()).toBeFocused()
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.submitted)).toBe('1')
  const button = dialog.getByRole('button', { name: 'Approve Deposit' })
  await expect(button).not.toHaveAttribute('aria-disabled', 'true')
  expect(confirmations).toEqual([])
  await button.press('Enter')
  await expect(dialog).toBeHidden()
  expect(confirmations).toEqual(['POST'])
})

test('a name in the queue leads to their page', async () => {
  await ask(72)
  await page.goto(`/admin?queue-search=${investor.username}`)
  const queue = page.getByRole('region', { name: 'Waiting for a decision' })
  await queue.getByRole('listitem').getByRole('button').first().click()
  await queue.getByRole('link', { name: investor.username }).first().click()
  await expect(page).toHaveURL(`/admin/users/${investor.userId}`)
  const transactions = page.getByRole('region', { name: 'Transactions', exact: true })
  await expect(transactions.getByRole('row').filter({ hasText: '$72.00' })).toHaveCount(1)
})

test('cards lead to their rows, and tabs keep filters', async () => {
  await ask(71)
  await open({ type: 'deposit' })
  await expect(page.getByRole('tab', { name: 'Transactions (1)' })).toBeVisible()
  await page.getByRole('tab', { name: /^Wallets/ }).click()
  await expect(page).toHaveURL(/tab=wallets/)
  await page.getByRole('tab', { name: /^Transactions/ }).click()
  await expect(page).toHaveURL(/transactions-type=deposit/)
  await expect(rows(page, investor.username)).toHaveCount(1)
  const figures = page.getByRole('list', { name: 'Figures' })
  await figures.getByRole('link', { name: 'Pending Transactions' }).click()
  await expect(page).toHaveURL(/transactions-status=PENDING/)
  await expect(page).not.toHaveURL(/transactions-type/)
  await expect(page.getByRole('tab', { name: /^Transactions/ })).toBeInViewport()
  const card = figures.getByRole('listitem').filter({ hasText: 'Pending Transactions' })
  const count = /[\d,]+/.exec((await card.textContent())?.replace(/^\D+/, '') ?? '')?.[0]
  await expect(page.getByRole('tab', { name: `Transactions (${count})` })).toBeVisible()
  await figures.getByRole('link', { name: 'Total Users' }).click()
  await expect(page.getByRole('tab', { name: /^Users/ })).toHaveAttribute('aria-selected', 'true')
})
