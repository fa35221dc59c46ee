import { expect, type Locator, type Page } from '@playwright/test'
import { EMAIL, no, of, ok, serve, transaction, USER_ID } from './answers.ts'
import { button, configured, rows, test } from './browser.ts'

/** Decisions in live mode, and two people on a large withdrawal. */

test.use({ role: 'admin' })

const WALLET = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const ID = 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16'
const DEPOSIT = transaction({ id: 't1', amount: 11, walletAddress: WALLET, networkName: 'Bitcoin' })
const LARGE = transaction({
  id: 't2',
  type: 'withdrawal',
  amount: 12_000,
  destinationAddress: 'Rent',
  approvalsNeeded: 2,
})
const at = [2026, 3, 5, 5, 6, 7, 0]

const openTransactions = async (page: Page) => {
  await page.goto('/admin')
  await page.getByRole('tab', { name: /^Transactions/ }).click()
}

test('live mode requires evidence, and its refusal shows in place', async ({ page }) => {
  const refusals = ['Please give the id.', 'Already used.']
  const calls = await serve(page, {
    listTransactions: ok([DEPOSIT]),
    confirm: (_, before) =>
      refusals[before]
        ? no(409, refusals[before])
        : ok({ transactionId: DEPOSIT.id, status: 'APPROVED', reason: '' }),
  })
  await configured(page, { poolMode: 'live' })
  await openTransactions(page)
  await expect(rows(page, '$11.00').getByRole('button')).toHaveText(['Approve Deposit'])
  await button(page, 'Approve Deposit').click()
  const dialog = page.getByRole('dialog', { name: 'Confirm deposit' })
  await expect(dialog).toContainText(WALLET)
  const id = dialog.getByLabel('On-chain transaction ID')
  await expect(id).toHaveAttribute('required')
  for (const refusal of refusals) {
    await button(dialog, 'Approve Deposit').click()
    await expect(dialog).toContainText(refusal)
  }
  await id.fill(` ${ID} `)
  await button(dialog, 'Approve Deposit').click()
  await expect(dialog).toBeHidden()
  expect(of(calls, 'confirm').map(({ payload }) => payload)).toEqual([
    { transactionId: DEPOSIT.id },
    { transactionId: DEPOSIT.id },
    { transactionId: DEPOSIT.id, evidence: ID },
  ])
})

test('in a sandbox the evidence is optional', async ({ page }) => {
  const calls = await serve(page, { listTransactions: ok([DEPOSIT]) })
  await openTransactions(page)
  await button(page, 'With transaction ID…').click()
  const dialog = page.getByRole('dialog', { name: 'Confirm deposit' })
  await expect(dialog.getByLabel('On-chain transaction ID (optional)')).toBeFocused()
  await button(dialog, 'Approve Deposit').click()
  await expect(dialog).toBeHidden()
  expect(of(calls, 'confirm')[0]?.payload).toEqual({ transactionId: DEPOSIT.id })
})

test('rejecting an approved withdrawal is one call with its reason', async ({ page }) => {
  const calls = await serve(page, {
    listTransactions: ok([{ ...LARGE, approvals: [{ username: 'carol@example.com', at }] }]),
    reject: no(404),
  })
  await openTransactions(page)
  await expect(rows(page, '$12,000.00')).toContainText(
    /1 of 2 approvals\s*by carol@example\.com at Mar 5, 2026/,
  )
  for (const [typed, sent] of [
    ['', 'Approval rejected by admin'],
    [' Not their address ', 'Not their address'],
  ] as const) {
    await button(page, 'Reject Withdrawal').click()
    const dialog = page.getByRole('dialog', { name: 'Reject Transaction' })
    await expect(dialog).toContainText('1 of 2 approvals')
    await dialog.getByRole('textbox').fill(typed)
    await button(dialog, 'Reject').click()
    await expect(dialog).toBeHidden()
    expect(of(calls, 'reject').at(-1)).toMatchObject({
      method: 'POST',
      path: `/api/v1/transaction/${LARGE.id}/reject`,
      payload: { reason: sent },
    })
  }
  expect(calls.filter(({ name }) => name === 'rejectByPayload' || name === 'rejectByPut')).toEqual(
    [],
  )
})

test('the first approver cannot approve twice and learns why', async ({ page }) => {
  let approved = false
  await serve(page, {
    listTransactions: () =>
      ok([{ ...LARGE, approvals: approved ? [{ username: EMAIL, at }] : [] }]),
    approve: () => {
      approved = true
      return ok(
        { transactionId: LARGE.id, status: 'PENDING', reason: '' },
        'A second admin must approve this, too.',
      )
    },
  })
  await openTransactions(page)
  const row = rows(page, '$12,000.00')
  await expect(row).toContainText('0 of 2 approvals')
  await button(row, 'Approve Withdrawal').click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'A second admin must approve this, too.' }),
  ).toBeVisible()
  await expect(row).toContainText('Another admin must approve it, too.')
  await expect(button(row, 'Approve Withdrawal')).toBeDisabled()
  await expect(button(row, 'Reject Withdrawal')).toBeEnabled()
})

test.describe('of an investor', () => {
  test.use({ role: 'client' })

  const saved = (address: string) => ({
    address,
    networkName: 'Bitcoin',
    savedAt: [2026, 3, 4, 5, 6, 7, 0],
    usableFrom: [2026, 3, 5, 5, 6, 7, 0],
  })

  test('a waiting payout address shows when its use begins', async ({ page }) => {
    await serve(page, {
      payoutAddress: ok({ current: saved('the old one'), next: saved('the new one') }),
    })
    await page.goto('/dashboard')
    const card = page.getByRole('region', { name: 'Payout address' })
    await expect(card).toContainText('the old one')
    await expect(card).toContainText(/In use from Mar 5, 2026.*the new one/)
    await page.getByRole('button', { name: /^Withdraw / }).click()
    const dialog = page.getByRole('dialog', { name: 'Initiate Withdrawal' })
    await expect(dialog).toContainText('the old one')
    await expect(dialog).not.toContainText('the new one')
  })

  test('a named network is sent and its refusal shown', async ({ page }) => {
    const refused = {
      status: 400,
      text: JSON.stringify({
        successful: false,
        narration: 'Not an address.',
        body: { code: 'validation', field: 'destinationAddress' },
      }),
    }
    const calls = await serve(page, { withdraw: refused })
    await page.goto('/dashboard')
    await page.getByRole('button', { name: /^Withdraw / }).click()
    const dialog = page.getByRole('dialog', { name: 'Initiate Withdrawal' })
    await dialog.getByLabel('Amount').fill('20')
    const destination = dialog.getByLabel('Destination address (optional)')
    await destination.fill('bc1q-mine')
    await dialog.getByLabel('Network (optional)').selectOption('Bitcoin')
    await button(dialog, 'Initiate Withdrawal').click()
    await expect(destination).toHaveAccessibleDescription(/Not an address\./)
    expect(of(calls, 'withdraw')[0]?.payload).toEqual({
      userId: USER_ID,
      amount: 20,
      destinationAddress: 'bc1q-mine',
      networkName: 'Bitcoin',
    })
  })
})

test('a new address shows when approval can begin', async ({ page }) => {
  const ADDRESS = '0x52908400098527886e0f7030069857d2e4169ee7'
  const nextYear = new Date().getUTCFullYear() + 1
  const payee = { address: ADDRESS, networkName: 'Polygon', since: at, firstNamed: at }
  const withdrawal = (id: string, amount: number, more: object) =>
    transaction({
      id,
      type: 'withdrawal',
      amount,
      destinationAddress: ADDRESS,
      payee: { ...payee, ...more },
    })
  const waiting = withdrawal('t3', 33, { usableFrom: [nextYear, 6, 1, 12, 0, 0, 0] })
  const known = withdrawal('t4', 44, { usableFrom: at })
  await serve(page, {
    listTransactions: ok([waiting, known]),
    transactionStory: ok({
      transaction: waiting,
      investmentId: null,
      events: [],
      transfers: [],
      transfersArchived: false,
    }),
  })
  await openTransactions(page)
  await expect(
    rows(page, '$44.00').getByRole('button', { name: 'Approve Withdrawal' }),
  ).toBeEnabled()
  const row = rows(page, '$33.00')
  await expect(row.getByRole('button', { name: 'Approve Withdrawal' })).toBeDisabled()
  await expect(row.getByRole('button', { name: 'Reject Withdrawal' })).toBeEnabled()
  await expect(row).toContainText('The address is new. It can be approved from Jun 1,')
  await row.getByRole('link', { name: 'Withdrawal' }).click()
  const panel = page.getByRole('dialog', { name: 'Withdrawal' })
  await expect(panel).toContainText('First named by the investor Mar 5, 2026')
  await expect(panel).toContainText('This address is new. The withdrawal can be approved from')
})

test('a live withdrawal without a network can only be rejected', async ({ page }) => {
  const payee = {
    address: '0x52908400098527886e0f7030069857d2e4169ee7',
    networkName: '',
    since: at,
    firstNamed: at,
    usableFrom: at,
  }
  const ambiguous = transaction({
    id: 't5',
    type: 'withdrawal',
    amount: 55,
    destinationAddress: payee.address,
    payee,
  })
  await serve(page, {
    listTransactions: ok([ambiguous]),
    transactionStory: ok({
      transaction: ambiguous,
      investmentId: null,
      events: [],
      transfers: [],
      transfersArchived: false,
    }),
  })
  await configured(page, { poolMode: 'live' })
  await page.goto('/admin?transaction=t5')
  await expect(page.getByRole('dialog', { name: 'Withdrawal' })).toContainText(
    'The withdrawal can only be rejected.',
  )
  // The queue and the table say the same, and neither offers the approval.
  const REASON = 'The address is valid on several networks, and none is chosen.'
  await openTransactions(page)
  const queue = page.getByRole('region', { name: 'Waiting for a decision' })
  await expect(queue.getByRole('checkbox', { name: 'Select $55.00' })).toBeDisabled()
  await queue.getByRole('button', { name: /^Withdrawal of \$55\.00/ }).click()
  await expect(queue).toContainText(REASON)
  // Buttons that moved are only `aria-disabled`, for a second.
  const isOff = (approval: Locator) => expect(approval).toHaveJSProperty('disabled', true)
  await isOff(queue.getByRole('button', { name: 'Approve', exact: true }))
  const row = rows(page, '$55.00')
  await expect(row.getByRole('button', { name: 'Reject Withdrawal' })).toBeEnabled()
  await isOff(row.getByRole('button', { name: 'Approve Withdrawal' }))
  await expect(row).toContainText(REASON)
})
