import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { savePayoutAddress } from '@pool/contract/money/payoutAddresses'
import { confirm } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import { newAddress } from '../server/testing/addresses.ts'
import { test } from './fixtures.ts'
import type { Session } from './people.ts'
import type { Pool } from './pool.ts'
import { askToDeposit } from './prepare.ts'
import {
  approveInDialog,
  approveInTable,
  expectAccessible,
  grant,
  openPage,
  rows,
} from './steps.ts'
import { PHONE } from './widths.ts'

/** Decisions of staff and their audit entries: evidence, two approvals, payout addresses. */

let superAdmin: Session
let admin: Session

test.beforeEach(async ({ people, pool }) => {
  superAdmin = people.superAdmin
  admin = await pool.person(['ADMIN'])
})

/** An investor with a Polygon wallet and this many dollars. */
const withMoney = async (pool: Pool, amount: number): Promise<Session> => {
  const investor = await pool.person()
  const transactionId = await askToDeposit(pool, investor, amount)
  const { status } = await pool.call(confirm, superAdmin, { transactionId })
  if (status === 'PENDING') await pool.call(confirm, admin, { transactionId })
  return investor
}

/** The admin's transactions of one investor. */
const transactionsOf = (investor: Session) =>
  `/admin?tab=transactions&transactions-search=${encodeURIComponent(investor.username)}`

test('an on-chain transaction confirms one deposit and no other', async ({ open, pool }) => {
  const investor = await withMoney(pool, 20)
  for (const amount of [31, 32])
    await pool.call(deposit, investor, { userId: investor.userId, amount })
  const id = `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`
  const page = await open(admin, transactionsOf(investor), { viewport: PHONE })
  const dialog = page.getByRole('dialog', { name: 'Confirm deposit' })
  const typed = dialog.getByLabel('On-chain transaction ID (optional)')

  await rows(page, investor.username, '$31.00')
    .getByRole('button', { name: 'With transaction ID…' })
    .click()
  await typed.fill('no id at all')
  await dialog.getByRole('button', { name: 'Approve Deposit' }).click()
  await expect(typed).toHaveAccessibleDescription(
    /This is not the ID of a transaction on this network\./,
  )
  await typed.fill(id)
  await dialog.getByRole('button', { name: 'Approve Deposit' }).click()
  await expect(dialog).toBeHidden()
  await expect(rows(page, investor.username, '$31.00')).toContainText('Approved')

  await rows(page, investor.username, '$32.00')
    .getByRole('button', { name: 'With transaction ID…' })
    .click()
  await typed.fill(id.toUpperCase())
  await dialog.getByRole('button', { name: 'Approve Deposit' }).click()
  await expect(typed).toHaveAccessibleDescription(
    /already confirmed another deposit to this address\. If it paid twice, add the output, such as ID:1\./,
  )
  await expectAccessible(page, 'evidence-used', '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await rows(page, investor.username, '$32.00')
    .getByRole('button', { name: 'Approve Deposit' })
    .click()
  await expect(rows(page, investor.username, '$32.00')).toContainText('Approved')

  await rows(page, investor.username, '$31.00')
    .getByRole('link', { name: /deposit|withdrawal/i })
    .click()
  await expect(page.getByRole('dialog', { name: 'Deposit' }).getByText(id)).toBeVisible()

  const trail = await open(superAdmin, `/admin/audit?audit-search=${investor.userId}`, {
    viewport: PHONE,
  })
  const change = trail.locator('dl').filter({ hasText: id })
  await expect(change).toHaveCount(1)
  expect(await change.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await expectAccessible(trail, 'evidence-trail', 'main')
})

test('a large withdrawal needs two people and names the first', async ({ open, pool }) => {
  const investor = await withMoney(pool, 7_000_000)
  for (const amount of [3_000_000, 3_100_000])
    await pool.call(withdraw, investor, {
      userId: investor.userId,
      amount,
      destinationAddress: newAddress('Bitcoin'),
    })

  const first = await open(admin, transactionsOf(investor))
  for (const amount of ['$3,000,000.00', '$3,100,000.00']) {
    const row = rows(first, investor.username, amount)
    await expect(row).toContainText('0 of 2 approvals')
    await approveInTable(first, row)
    await expect(row).toContainText(`1 of 2 approvalsby ${admin.username}`)
    await expect(row).toContainText('You have approved it. Another admin must approve it, too.')
    await expect(row.getByRole('button', { name: 'Approve Withdrawal' })).toBeDisabled()
  }
  await expect(
    first.getByText('A second admin must approve it, too, before money moves.').first(),
  ).toBeVisible()

  const second = await open(superAdmin, transactionsOf(investor))
  await rows(second, investor.username, '$3,000,000.00')
    .getByRole('link', { name: 'Withdrawal' })
    .click()
  const panel = second.getByRole('dialog', { name: 'Withdrawal' })
  await expect(panel.getByText('1 of 2 approvals')).toBeVisible()
  await expect(panel.getByRole('listitem').filter({ hasText: 'First approval' })).toContainText(
    admin.username,
  )
  await expect(panel.getByText('Waiting for a second member of staff')).toBeVisible()
  await expectAccessible(second, 'first-approval', '[role="dialog"]')
  await second.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await rows(second, investor.username, '$3,000,000.00')
    .getByRole('button', { name: 'Approve Withdrawal' })
    .click()
  const large = second.getByRole('dialog', { name: 'Approve a large withdrawal' })
  await approveInDialog(large)
  await expect(rows(second, investor.username, '$3,000,000.00')).toContainText('Approved')

  await rows(second, investor.username, '$3,100,000.00')
    .getByRole('button', { name: 'Reject Withdrawal' })
    .click()
  await second.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await expect(rows(second, investor.username, '$3,100,000.00')).toContainText(
    'Reason: Approval rejected by admin',
  )
})

test("an approver sees the server's payee on an altered list", async ({ open, pool }) => {
  const investor = await withMoney(pool, 100)
  const { transactionId } = await pool.call(withdraw, investor, {
    userId: investor.userId,
    amount: 20,
  })
  const page = await open(admin, `/admin?transaction=${transactionId}`)
  const panel = page.getByRole('dialog', { name: 'Withdrawal' })
  await expect(panel).toContainText('No valid address. Ask the investor before you approve.')

  const [stored, false_] = [newAddress('Ethereum'), newAddress('Ethereum')]
  await pool.call(savePayoutAddress, investor, { address: stored, networkName: 'Ethereum' })
  await page.route(
    ({ pathname }) => pathname === listTransactions.path,
    async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replaceAll(stored, false_) })
    },
  )
  await page.goto(transactionsOf(investor))
  await expect(rows(page, investor.username, '$20.00')).toContainText(false_)
  await rows(page, investor.username, '$20.00')
    .getByRole('link', { name: /deposit|withdrawal/i })
    .click()
  await expect(panel.getByText(stored)).toBeVisible()
  await expect(panel).not.toContainText(false_)
  await expect(panel).toContainText(/The investor's payout address since .+ ago\)/)
  await expect(panel).toContainText('This address was saved after the withdrawal was requested.')
  await expectAccessible(page, 'altered-payee', '[role="dialog"]')
  // A repeated read of the list may be under way.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a payout address is saved and a bad one refused', async ({ open, pool }) => {
  const page = await open(await withMoney(pool, 100), '/dashboard', { viewport: PHONE })
  const card = page.getByRole('region', { name: 'Payout address' })
  await expect(card).toContainText('None saved yet.')
  await page.getByRole('button', { name: /^Withdraw/ }).click()
  const withdrawal = page.getByRole('dialog', { name: 'Initiate Withdrawal' })
  await expect(withdrawal).toContainText('Save a payout address first.')
  await expectAccessible(page, 'withdrawal-unsaved', '[role="dialog"]')
  await withdrawal.getByRole('button', { name: 'Save an address' }).click()

  const dialog = page.getByRole('dialog', { name: 'Payout address' })
  const save = dialog.getByRole('button', { name: 'Save address' })
  const address = dialog.getByLabel('Address', { exact: true })
  const good = newAddress('Bitcoin')
  await save.click()
  await expect(dialog).toContainText('Please fill in all fields')
  await dialog.getByLabel('Network').selectOption('Bitcoin')
  await address.fill(`${good.slice(0, -1)}${good.endsWith('q') ? 'p' : 'q'}`)
  await save.click()
  await expect(address).toHaveAccessibleDescription(
    'This is not a valid Bitcoin address. Please check it character by character.',
  )
  await expectAccessible(page, 'payout-invalid', '[role="dialog"]')
  await address.fill(good)
  await save.click()
  await expect(dialog).toBeHidden()
  // It was saved for a withdrawal, which goes on.
  await expect(withdrawal).toContainText(`Your Default AddressChangeBitcoin${good}`)
  await withdrawal.getByLabel('Amount').fill('20')
  await withdrawal.getByLabel('Destination address (optional)').fill(good)
  await withdrawal.getByLabel('Network (optional)').selectOption('Solana')
  await withdrawal.getByRole('button', { name: 'Initiate Withdrawal' }).click()
  await expect(withdrawal.getByLabel('Destination address (optional)')).toHaveAccessibleDescription(
    /This is not a valid Solana address\./,
  )
  await withdrawal.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Payout address saved.')).toBeVisible()
  await expect(card).toContainText(good)
  await expect(page.getByRole('region', { name: 'Account Balance' })).toContainText('$100.00')
  await expectAccessible(page, 'payout-saved', 'main')
})

test('the audit trail can be searched, filtered, followed and exported', async ({ open, pool }) => {
  const investor = await withMoney(pool, 50)
  await pool.call(savePayoutAddress, investor, {
    address: newAddress('Ethereum'),
    networkName: 'Ethereum',
  })
  await pool.signIn(investor.username)
  grant(investor.username, 'ADMIN')
  const page = await open(superAdmin, '/admin')
  await page.getByRole('main').getByRole('link', { name: 'Audit trail' }).click()
  await expect(page).toHaveURL('/admin/audit')
  await expect(page.getByRole('heading', { level: 1, name: 'Audit trail' })).toBeFocused()
  await expect(page).toHaveTitle('Audit trail · Peer Lending Pool')

  await page.getByRole('searchbox').fill(investor.userId)
  const entries = page.getByRole('row').filter({ has: page.getByRole('cell') })
  await expect(entries).toHaveCount(5)
  await expect(rows(page, 'Role granted')).toContainText(
    /Rolesclient\s*became\s*(admin, client|client, admin)/,
  )
  await expect(rows(page, 'Role granted')).toContainText('on the server')
  await expect(rows(page, 'Deposit confirmed')).toContainText(
    /StatusPENDING\s*became\s*APPROVEDAmount\$50\.00/,
  )
  await expect(rows(page, 'Deposit confirmed')).toContainText(/No\. [\d,]+/)
  await expectAccessible(page, 'audit-trail', 'main')
  await page.setViewportSize(PHONE)

  await page.getByRole('button', { name: 'Filters' }).click()
  // The actions stand in groups, by what they are about.
  const group = (name: string) => page.locator('summary', { hasText: name }).first()
  await group('Transaction').click()
  await page.getByLabel('Deposit confirmed').check()
  await expect(group('Transaction')).toHaveText('Transaction (1)')
  await group('User').click()
  await page.getByLabel('Role granted').check()
  await expect(entries).toHaveCount(2)
  await page.keyboard.press('Escape')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const lines = readFileSync(await (await downloading).path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toContain('Entry,At (UTC),Who,User ID,Event,From,About,Its ID')
  expect(lines.at(-1)).toContain('deposit.confirmed')
  expect(lines.at(-1)).toContain('""amount"":50')

  await rows(page, 'Deposit confirmed').getByRole('link').click()
  await expect(page.getByRole('dialog', { name: 'Deposit' })).toContainText('$50.00')
  await page.goBack()
  await page.getByRole('button', { name: 'Menu' }).click()
  await openPage(page, /^Decisions/)
  await expect(page).toHaveURL('/admin')
})

test('an admin sees no audit entries about accounts', async ({ open, pool }) => {
  const investor = await withMoney(pool, 50)
  const page = await open(admin, '/admin/audit')
  await expect(page.getByRole('main')).toContainText('are for super admins')
  await page.getByRole('searchbox').fill(investor.userId)
  await expect(rows(page, 'Deposit confirmed')).toHaveCount(1)
  await expect(rows(page, 'Registered')).toHaveCount(0)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.locator('summary', { hasText: 'Transaction' }).first().click()
  await expect(page.getByLabel('Deposit confirmed')).toBeVisible()
  await expect(page.getByLabel('Signed in')).toHaveCount(0)
})
