import { expect, type Page, test } from '@playwright/test'
import { listInvestments } from '@pool/contract/investments'
import { listTransactions } from '@pool/contract/transactions'
import { SUPER_ADMIN } from './people.ts'
import { busyInvestor, newInvestor, signedIn, startSession } from './prepare.ts'
import { violations } from './steps.ts'

type Row = {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly walletAddress?: string
}

let investor: Awaited<ReturnType<typeof busyInvestor>>
let transactions: readonly Row[]
let investments: readonly Row[]

test.beforeAll(async ({ playwright, baseURL }) => {
  const api = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  investor = await busyInvestor(api)
  const headers = { authorization: `Bearer ${investor.token}` }
  const list = async (path: string) =>
    (await (await api.get(path, { headers })).json()).body as readonly Row[]
  transactions = await list(listTransactions.path)
  investments = await list(listInvestments.path.replace('{userId}', investor.userId))
  await api.dispose()
})

const rowOf = (type: string, status: string): Row => {
  const row = transactions.find((each) => each.type === type && each.status === status)
  if (!row) throw new Error(`there is no ${status} ${type}`)
  return row
}

const accessible = async (page: Page) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await violations(page, '[role="dialog"]')).toEqual([])
  }
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0)
}

test('a rejected withdrawal tells reason, time and transfers', async ({ browser, baseURL }) => {
  const page = await (await signedIn(browser, investor, { baseURL })).newPage()
  await page.goto(`/dashboard?transaction=${rowOf('withdrawal', 'REJECTED').id}`)
  const panel = page.getByRole('dialog', { name: 'Withdrawal' })
  await expect(panel.getByText('The destination cannot be read')).toBeVisible()
  await expect(panel.getByText('unreadable', { exact: true })).toBeVisible()
  await expect(panel.getByRole('listitem').filter({ hasText: 'Requested' })).toContainText('by you')
  await expect(panel.getByRole('listitem').filter({ hasText: 'Rejected' })).toContainText(
    "by the pool's staff",
  )
  await expect(panel.getByRole('row').filter({ hasText: 'Available balance' })).toHaveText([
    /Available balance\s*Held for withdrawal\s*\$80\.00/,
    /Held for withdrawal\s*Available balance\s*\$80\.00/,
  ])
  await expect(panel.getByText(SUPER_ADMIN.email)).toHaveCount(0)
  await accessible(page)
})

test('a pending deposit shows its wallet and the next step', async ({ browser, baseURL }) => {
  const page = await (
    await signedIn(browser, investor, { baseURL, viewport: { width: 375, height: 812 } })
  ).newPage()
  const deposit = rowOf('deposit', 'PENDING')
  await page.goto(`/dashboard?transaction=${deposit.id}`)
  const panel = page.getByRole('dialog', { name: 'Deposit' })
  await expect(panel.getByText(deposit.walletAddress ?? '')).toBeVisible()
  await expect(panel.getByRole('img', { name: 'Payment code for a wallet app' })).toBeVisible()
  await expect(panel.getByRole('link', { name: 'Open in a wallet app' })).toHaveAttribute(
    'href',
    `ethereum:${deposit.walletAddress}@137`,
  )
  await expect(panel.getByText("Waiting for a decision by the pool's staff")).toBeVisible()
  await expect(panel.getByText('No money has moved yet.')).toBeVisible()
  await accessible(page)
})

test('an investment links to its transactions, and Back returns', async ({ browser, baseURL }) => {
  const page = await (await signedIn(browser, investor, { baseURL })).newPage()
  await page.goto(`/dashboard?investment=${investments[0]?.id}`)
  const panel = page.getByRole('dialog', { name: 'Investment' })
  await expect(panel.getByText('over the whole term')).toBeVisible()
  await panel.getByRole('link', { name: 'See the transaction that opened it' }).click()
  const opening = page.getByRole('dialog', { name: 'Investment' }).getByText('Investment opened')
  await expect(opening).toBeVisible()
  await page.getByRole('link', { name: 'See the investment' }).click()
  await expect(panel.getByText('over the whole term')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('link', { name: 'See the investment' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL('/dashboard')
})

test('the story tells staff who decided', async ({ browser, baseURL, playwright }) => {
  const api = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  const page = await (
    await signedIn(browser, await startSession(SUPER_ADMIN, api), { baseURL })
  ).newPage()
  await page.goto(`/admin?transaction=${rowOf('withdrawal', 'REJECTED').id}`)
  const panel = page.getByRole('dialog', { name: 'Withdrawal' })
  await expect(panel.getByRole('listitem').filter({ hasText: 'Requested' })).toContainText(
    investor.username,
  )
  await expect(panel.getByRole('listitem').filter({ hasText: 'Rejected' })).toContainText('by you')
  await api.dispose()
})

test("another investor's transaction has no story", async ({ browser, baseURL, playwright }) => {
  const api = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  const page = await (await signedIn(browser, await newInvestor(api), { baseURL })).newPage()
  await page.goto(`/dashboard?transaction=${rowOf('withdrawal', 'REJECTED').id}`)
  await expect(page.getByRole('dialog').getByText('Transaction not found.')).toBeVisible()
  await api.dispose()
})
