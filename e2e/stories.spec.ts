import { expect } from '@playwright/test'
import { listInvestments } from '@pool/contract/money/investments'
import { listTransactions } from '@pool/contract/requests/transactions'
import { test } from './fixtures.ts'
import { SUPER_ADMIN } from './people.ts'
import { expectAccessible } from './steps.ts'
import { PHONE } from './widths.ts'

type TransactionOnList = {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly walletAddress?: string
}

let transactions: readonly TransactionOnList[]
let investments: readonly TransactionOnList[]

test.beforeEach(async ({ people, pool }) => {
  const { investor } = people
  transactions = await pool.call(listTransactions, investor)
  investments = await pool.call(listInvestments, investor, undefined, { userId: investor.userId })
})

const rowOf = (type: string, status: string): TransactionOnList => {
  const row = transactions.find((each) => each.type === type && each.status === status)
  if (!row) throw new Error(`there is no ${status} ${type}`)
  return row
}

test('a rejected withdrawal tells reason, time and transfers', async ({ open, people }) => {
  const page = await open(
    people.investor,
    `/dashboard?transaction=${rowOf('withdrawal', 'REJECTED').id}`,
  )
  const panel = page.getByRole('dialog', { name: 'Withdrawal' })
  await expect(panel.getByText('The destination cannot be read')).toBeVisible()
  await expect(panel.getByText('unreadable', { exact: true })).toBeVisible()
  await expect(panel.getByRole('listitem').filter({ hasText: 'Requested' })).toContainText('by you')
  await expect(panel.getByRole('listitem').filter({ hasText: 'Rejected' })).toContainText(
    'by staff',
  )
  await expect(panel.getByRole('row').filter({ hasText: 'Available balance' })).toHaveText([
    /Available balance\s*Held for withdrawal\s*\$80\.00/,
    /Held for withdrawal\s*Available balance\s*\$80\.00/,
  ])
  await expect(panel.getByText(SUPER_ADMIN.email)).toHaveCount(0)
  await expectAccessible(page, 'story-rejected', '[role="dialog"]')
})

test('a pending deposit shows its wallet and the next step', async ({ open, people }) => {
  const deposit = rowOf('deposit', 'PENDING')
  const page = await open(people.investor, `/dashboard?transaction=${deposit.id}`, {
    viewport: PHONE,
  })
  const panel = page.getByRole('dialog', { name: 'Deposit' })
  await expect(panel.getByText(deposit.walletAddress ?? '')).toBeVisible()
  await expect(panel.getByRole('img', { name: 'Payment code for a wallet app' })).toBeVisible()
  await expect(panel.getByRole('link', { name: 'Open in a wallet app' })).toHaveCount(0)
  await expect(panel.getByText('Waiting for a decision by staff')).toBeVisible()
  await expect(panel.getByText('No money has moved yet.')).toBeVisible()
  await expectAccessible(page, 'story-pending', '[role="dialog"]')
})

test('an investment links to its transactions, and Back returns', async ({ open, people }) => {
  const page = await open(people.investor, `/dashboard?investment=${investments[0]?.id}`)
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

test('the story tells staff who decided', async ({ open, people }) => {
  const page = await open(
    people.superAdmin,
    `/admin?transaction=${rowOf('withdrawal', 'REJECTED').id}`,
  )
  const panel = page.getByRole('dialog', { name: 'Withdrawal' })
  await expect(panel.getByRole('listitem').filter({ hasText: 'Requested' })).toContainText(
    people.investor.username,
  )
  await expect(panel.getByRole('listitem').filter({ hasText: 'Rejected' })).toContainText('by you')
})

test("another investor's transaction has no story", async ({ open, pool }) => {
  const page = await open(
    await pool.person(),
    `/dashboard?transaction=${rowOf('withdrawal', 'REJECTED').id}`,
  )
  await expect(page.getByRole('dialog').getByText('Transaction not found.')).toBeVisible()
})
