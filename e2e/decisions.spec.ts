import { readFileSync } from 'node:fs'
import { type APIRequestContext, type Browser, expect, type Page, test } from '@playwright/test'
import { confirm } from '@pool/contract/decisions'
import { payoutAddress } from '@pool/contract/payoutAddresses'
import { deposit, withdraw } from '@pool/contract/requests'
import { listTransactions } from '@pool/contract/transactions'
import { newAddress } from '../server/testing/addresses.ts'
import { SUPER_ADMIN } from './people.ts'
import { newInvestor, newWallet, post, type Session, signedIn, startSession } from './prepare.ts'
import { grant, rows, settled, violations } from './steps.ts'

/** Decisions of staff and their audit entries: evidence, two approvals, payout addresses. */

let superAdmin: Session
let admin: Session

test.beforeAll(async ({ playwright, baseURL }) => {
  const api = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  superAdmin = await startSession(SUPER_ADMIN, api)
  const made = await newInvestor(api)
  grant(made.username, 'ADMIN')
  admin = { ...made, roles: [{ type: 'ADMIN' }] }
  await api.dispose()
})

/** An investor with a Polygon wallet and this many dollars. */
const withMoney = async (api: APIRequestContext, amount: number): Promise<Session> => {
  const investor = await newInvestor(api)
  await newWallet(api, superAdmin)
  const { transactionId } = await post(
    api,
    deposit.path,
    { userId: investor.userId, amount },
    investor.token,
  )
  const { status } = await post(api, confirm.path, { transactionId }, superAdmin.token)
  if (status === 'PENDING') await post(api, confirm.path, { transactionId }, admin.token)
  return investor
}

type By = {
  readonly session: Session
  readonly baseURL: string | undefined
  readonly width?: number
}

const open = async (
  browser: Browser,
  path: string,
  { session, baseURL, width = 1280 }: By,
): Promise<Page> => {
  const page = await (
    await signedIn(browser, session, { baseURL, viewport: { width, height: 812 } })
  ).newPage()
  await page.goto(path)
  await settled(page)
  return page
}

/** The admin's transactions of one investor. */
const transactionsOf = (investor: Session) =>
  `/admin?tab=transactions&transactions-search=${encodeURIComponent(investor.username)}`

const accessible = async (page: Page, part: string) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await violations(page, part)).toEqual([])
  }
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0)
}

test('an on-chain transaction confirms one deposit and no other', async ({
  browser,
  baseURL,
  request,
}) => {
  const investor = await withMoney(request, 20)
  for (const amount of [31, 32])
    await post(request, deposit.path, { userId: investor.userId, amount }, investor.token)
  const id = `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`
  const page = await open(browser, transactionsOf(investor), {
    session: admin,
    baseURL,
    width: 375,
  })
  const dialog = page.getByRole('dialog', { name: 'Confirm Deposit' })
  const typed = dialog.getByLabel('On-chain transaction ID (optional)')

  await rows(page, investor.username, '$31.00')
    .getByRole('button', { name: 'With transaction ID…' })
    .click()
  await typed.fill('no id at all')
  await dialog.getByRole('button', { name: 'Approve Deposit' }).click()
  await expect(typed).toHaveAccessibleDescription(
    /This is not the id of a transaction on this network\./,
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
    /This on-chain transaction was already used to confirm another deposit\./,
  )
  await accessible(page, '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await rows(page, investor.username, '$32.00')
    .getByRole('button', { name: 'Approve Deposit' })
    .click()
  await expect(rows(page, investor.username, '$32.00')).toContainText('Approved')

  await rows(page, investor.username, '$31.00')
    .getByRole('link', { name: /deposit|withdrawal/i })
    .click()
  await expect(page.getByRole('dialog', { name: 'Deposit' }).getByText(id)).toBeVisible()

  const trail = await open(browser, `/admin/audit?audit-search=${investor.userId}`, {
    session: superAdmin,
    baseURL,
    width: 375,
  })
  const change = trail.locator('dl').filter({ hasText: id })
  await expect(change).toHaveCount(1)
  expect(await change.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await accessible(trail, 'main')
})

test('a large withdrawal needs two people and names the first', async ({
  browser,
  baseURL,
  request,
}) => {
  const investor = await withMoney(request, 7_000_000)
  for (const amount of [3_000_000, 3_100_000])
    await post(
      request,
      withdraw.path,
      { userId: investor.userId, amount, destinationAddress: newAddress('Bitcoin') },
      investor.token,
    )

  const first = await open(browser, transactionsOf(investor), { session: admin, baseURL })
  for (const amount of ['$3,000,000.00', '$3,100,000.00']) {
    const row = rows(first, investor.username, amount)
    await expect(row).toContainText('0 of 2 approvals')
    await row.getByRole('button', { name: 'Approve Withdrawal' }).click()
    await expect(row).toContainText(`1 of 2 approvalsby ${admin.username}`)
    await expect(row).toContainText('You have approved it. Another admin must approve it, too.')
    await expect(row.getByRole('button', { name: 'Approve Withdrawal' })).toBeDisabled()
  }
  await expect(
    first.getByText('A second admin must approve it, too, before money moves.').first(),
  ).toBeVisible()

  const second = await open(browser, transactionsOf(investor), { session: superAdmin, baseURL })
  await rows(second, investor.username, '$3,000,000.00')
    .getByRole('link', { name: 'Withdrawal' })
    .click()
  const panel = second.getByRole('dialog', { name: 'Withdrawal' })
  await expect(panel.getByText('1 of 2 approvals')).toBeVisible()
  await expect(panel.getByRole('listitem').filter({ hasText: 'First approval' })).toContainText(
    admin.username,
  )
  await expect(panel.getByText("Waiting for a second person of the pool's staff")).toBeVisible()
  await accessible(second, '[role="dialog"]')
  await second.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await rows(second, investor.username, '$3,000,000.00')
    .getByRole('button', { name: 'Approve Withdrawal' })
    .click()
  const large = second.getByRole('dialog', { name: 'Approve a large withdrawal' })
  await large.getByRole('button', { name: 'Approve Withdrawal' }).click()
  await expect(rows(second, investor.username, '$3,000,000.00')).toContainText('Approved')

  await rows(second, investor.username, '$3,100,000.00')
    .getByRole('button', { name: 'Reject Withdrawal' })
    .click()
  await second.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await expect(rows(second, investor.username, '$3,100,000.00')).toContainText(
    'Reason: Approval rejected by admin',
  )
})

test("an approver sees the server's payee on an altered list", async ({
  browser,
  baseURL,
  request,
}) => {
  const investor = await withMoney(request, 100)
  const { transactionId } = await post(
    request,
    withdraw.path,
    { userId: investor.userId, amount: 20 },
    investor.token,
  )
  const page = await open(browser, `/admin?transaction=${transactionId}`, {
    session: admin,
    baseURL,
  })
  const panel = page.getByRole('dialog', { name: 'Withdrawal' })
  await expect(panel).toContainText('No valid address. Ask the investor before you approve.')

  const [stored, false_] = [newAddress('Ethereum'), newAddress('Ethereum')]
  const headers = { authorization: `Bearer ${investor.token}` }
  await request.put(payoutAddress.path, {
    data: { address: stored, networkName: 'Ethereum' },
    headers,
  })
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
  await accessible(page, '[role="dialog"]')
  // A repeated read of the list may be under way.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a payout address is saved and a bad one refused', async ({ browser, baseURL, request }) => {
  const page = await open(browser, '/dashboard', {
    session: await withMoney(request, 100),
    baseURL,
    width: 375,
  })
  const card = page.getByRole('region', { name: 'Payout address' })
  await expect(card).toContainText('None saved yet.')
  await page.getByRole('button', { name: /^Withdraw/ }).click()
  const withdrawal = page.getByRole('dialog', { name: 'Initiate Withdrawal' })
  await expect(withdrawal).toContainText('You have not saved a payout address.')
  await accessible(page, '[role="dialog"]')
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
  await accessible(page, '[role="dialog"]')
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
  await accessible(page, 'main')
})

test('the audit trail can be searched, filtered, followed and exported', async ({
  browser,
  baseURL,
  request,
}) => {
  const investor = await withMoney(request, 50)
  await request.put(payoutAddress.path, {
    data: { address: newAddress('Ethereum'), networkName: 'Ethereum' },
    headers: { authorization: `Bearer ${investor.token}` },
  })
  grant(investor.username, 'ADMIN')
  const page = await open(browser, '/admin', { session: superAdmin, baseURL })
  await page.getByRole('link', { name: 'Audit trail' }).click()
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
  await accessible(page, 'main')
  await page.setViewportSize({ width: 375, height: 812 })
  await accessible(page, 'main')

  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Deposit confirmed').check()
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
  await page.getByRole('link', { name: 'Admin Dashboard' }).click()
  await expect(page).toHaveURL('/admin')
})

test('an admin sees no audit entries about accounts', async ({ browser, baseURL, request }) => {
  const investor = await withMoney(request, 50)
  const page = await open(browser, '/admin/audit', { session: admin, baseURL })
  await expect(page.getByRole('main')).toContainText('are for super admins')
  await page.getByRole('searchbox').fill(investor.userId)
  await expect(rows(page, 'Deposit confirmed')).toHaveCount(1)
  await expect(rows(page, 'Registered')).toHaveCount(0)
  await page.getByRole('button', { name: 'Filters' }).click()
  await expect(page.getByLabel('Deposit confirmed')).toBeVisible()
  await expect(page.getByLabel('Signed in')).toHaveCount(0)
  await page.context().close()
})
