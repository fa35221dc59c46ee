import { expect, type Page } from '@playwright/test'
import {
  adminInvestment,
  answer,
  made,
  no,
  of,
  ok,
  type Reply,
  serve,
  TOKEN,
  transaction,
  USER_ID,
  user,
  wallet,
} from './answers.ts'
import { button, listen, rows, settles, stopClock, test } from './browser.ts'

const DEPOSIT = transaction({ id: 'd0000000-0000-4000-8000-000000000001', amount: 11 })
const WITHDRAWAL = transaction({
  id: 'd0000000-0000-4000-8000-000000000002',
  amount: 22,
  type: 'withdrawal',
})

const unsaid = answer(200, { successful: false })

test.describe('of a super admin', () => {
  test.use({ role: 'SUPER_ADMIN' })

  const everything = {
    listUsers: ok([user()]),
    listTransactions: ok([DEPOSIT, WITHDRAWAL]),
    listAllInvestments: ok([adminInvestment()]),
    listWallets: ok([wallet()]),
  }
  const LOADS = [
    'listUsers',
    'listTransactions',
    'listAllInvestments',
    'listWallets',
    'totalBalance',
  ] as const

  test('the admin data loads by the exact calls', async ({ page }) => {
    const calls = await serve(page, everything)
    await page.goto('/admin')
    await expect(page.getByRole('list', { name: 'Figures' })).toContainText('$5,000.00')
    await expect(page.getByRole('tab', { name: 'Users (1)' })).toBeVisible()
    await expect
      .poll(() => made(calls, ...LOADS, 'checkMaturities').length)
      .toBeGreaterThanOrEqual(6)
    expect(new Set(made(calls, ...LOADS, 'checkMaturities'))).toEqual(
      new Set([
        'GET /api/v1/public/users',
        'GET /api/v1/public/transaction',
        'GET /api/v1/public/investments/get-all',
        'GET /api/v1/public/wallets',
        'GET /api/v1/public/transaction/get-balances',
        'POST /api/v1/public/investments/check-maturities',
      ]),
    )
    // Every visitor may ask for the pauses.
    for (const { headers } of calls.filter(({ name }) => name !== 'listPauses'))
      expect(headers.authorization).toBe(`Bearer ${TOKEN}`)
    await button(page, 'Refresh Data').click()
    await expect.poll(() => made(calls, 'checkMaturities').length).toBe(2)
  })

  for (const failing of LOADS) {
    test(`a failed ${failing} is logged and blocks no load`, async ({ page }) => {
      const logged = listen(page)
      await serve(page, { ...everything, [failing]: no(500, 'The reason') })
      await page.goto('/admin')
      const figures = page.getByRole('list', { name: 'Figures' }).getByRole('listitem')
      const labels = {
        listUsers: 'Total Users',
        listTransactions: 'Pending Transactions',
        listAllInvestments: 'Pending Investments',
        listWallets: 'Total Wallets',
        totalBalance: 'Total Balance',
      }
      for (const name of LOADS) {
        await expect(figures.filter({ hasText: labels[name] })).toContainText(
          name === failing ? '—' : /\d/,
        )
      }
      await expect.poll(() => logged.some((text) => text.includes('The reason'))).toBe(true)
      await expect(page.getByText('The reason')).toHaveCount(0)
    })
  }

  test('the list of users has a timeout of ten seconds', async ({ page }) => {
    const logged = listen(page)
    await page.clock.install()
    let reply: Reply = no(500)
    const calls = await serve(page, { ...everything, listUsers: () => reply })
    await page.goto('/admin')
    const failed = page.getByRole('alert').filter({ hasText: 'Users could not be loaded' })
    await expect(failed).toBeVisible()
    await stopClock(page)
    const before = made(calls, 'listUsers').length
    reply = 'silence'
    await button(failed, 'Retry').click()
    await expect.poll(() => made(calls, 'listUsers').length).toBe(before + 1)
    const timedOut = () =>
      logged.some((text) => text.includes('Request timeout - server not responding'))
    await page.clock.runFor(9_900)
    expect(timedOut()).toBe(false)
    await page.clock.runFor(200)
    await settles(page, async () => timedOut())
  })

  test('failures of the list of users have their own sentences', async ({ page }) => {
    const logged = listen(page)
    let reply: Reply = 'refused'
    await serve(page, { ...everything, listUsers: () => reply, listWallets: unsaid })
    await page.goto('/admin')
    const hasLogged = (sentence: string) =>
      expect.poll(() => logged.some((text) => text.includes(sentence))).toBe(true)
    await hasLogged('Network error - server may be down or endpoint does not exist')
    await hasLogged('Failed to get wallets')
    reply = unsaid
    await button(page.getByRole('alert'), 'Retry').click()
    await hasLogged('Failed to get users')
  })

  test('approving a deposit sends its id and invalidates everything', async ({ page }) => {
    let status: 'PENDING' | 'APPROVED' = 'PENDING'
    const calls = await serve(page, {
      ...everything,
      listTransactions: () => ok([{ ...DEPOSIT, status }]),
      confirm: () => {
        status = 'APPROVED'
        return ok({ transactionId: DEPOSIT.id, status, reason: '' })
      },
    })
    await page.goto('/admin')
    await page.getByRole('tab', { name: /^Transactions/ }).click()
    await button(page, 'Approve Deposit').click()
    await expect(rows(page, '$11.00')).toContainText('Approved')
    expect(of(calls, 'confirm')).toMatchObject([
      { method: 'POST', path: '/api/v1/public/transaction/confirm' },
    ])
    expect(of(calls, 'confirm')[0]?.payload).toEqual({ transactionId: DEPOSIT.id })
    await everythingLoadsAgain(calls.slice.bind(calls))
  })

  test('approving a withdrawal sends id and owner and invalidates everything', async ({ page }) => {
    const calls = await serve(page, everything)
    await page.goto('/admin')
    await page.getByRole('tab', { name: /^Transactions/ }).click()
    await button(page, 'Approve Withdrawal').click()
    await expect
      .poll(() => made(calls, 'approve'))
      .toEqual(['POST /api/v1/public/transaction/approve'])
    expect(of(calls, 'approve')[0]?.payload).toEqual({
      transactionId: WITHDRAWAL.id,
      userId: USER_ID,
    })
    await everythingLoadsAgain(calls.slice.bind(calls))
  })

  const everythingLoadsAgain = async (calls: () => ReturnType<typeof of>) => {
    for (const name of LOADS)
      await expect.poll(() => of(calls(), name).length, name).toBeGreaterThan(1)
  }

  const reject = async (page: Page, reason: string) => {
    await page.goto('/admin')
    await page.getByRole('tab', { name: /^Transactions/ }).click()
    await button(page, 'Reject Withdrawal').click()
    const dialog = page.getByRole('dialog', { name: 'Reject Transaction' })
    await dialog.getByPlaceholder('Enter rejection reason...').fill(reason)
    await button(dialog, 'Reject').click()
    await expect(dialog).toBeHidden()
  }

  const rejections = {
    reject: [`POST /api/v1/transaction/${WITHDRAWAL.id}/reject`, { reason: 'Wrong network' }],
    rejectByPayload: [
      'POST /api/v1/transaction/reject',
      { transactionId: WITHDRAWAL.id, reason: 'Wrong network' },
    ],
    rejectByPut: [`PUT /api/v1/transaction/${WITHDRAWAL.id}/reject`, { reason: 'Wrong network' }],
  } as const
  const ways = ['reject', 'rejectByPayload', 'rejectByPut'] as const

  for (const [index, works] of ways.entries()) {
    test(`rejecting stops at ${works} once it works and invalidates everything`, async ({
      page,
    }) => {
      const failing = Object.fromEntries(
        ways.slice(0, index).map((name, at) => [name, [no(404), no(500)][at] as Reply]),
      )
      const calls = await serve(page, { ...everything, ...failing })
      await reject(page, 'Wrong network')
      expect(made(calls, ...ways)).toEqual(
        ways.slice(0, index + 1).map((name) => rejections[name][0]),
      )
      for (const name of ways.slice(0, index + 1))
        expect(of(calls, name)[0]?.payload).toEqual(rejections[name][1])
      await everythingLoadsAgain(calls.slice.bind(calls))
    })
  }

  test('a rejection sends a default reason and logs its failure', async ({ page }) => {
    const logged = listen(page)
    const calls = await serve(page, {
      ...everything,
      reject: no(500, 'The reason'),
      rejectByPayload: no(500),
      rejectByPut: no(500),
    })
    await reject(page, '')
    expect(of(calls, 'reject')[0]?.payload).toEqual({ reason: 'Transaction rejected by admin' })
    expect(made(calls, ...ways)).toHaveLength(3)
    await expect.poll(() => logged.some((text) => text.includes('The reason'))).toBe(true)
    await expect(page.getByText('The reason')).toHaveCount(0)
  })

  test('a decision without stored user information sends nothing', async ({ page }) => {
    const logged = listen(page)
    const calls = await serve(page, everything)
    await page.goto('/admin')
    await page.getByRole('tab', { name: /^Transactions/ }).click()
    await page.evaluate(() => localStorage.removeItem('username'))
    await button(page, 'Approve Deposit').click()
    const hasLogged = (sentence: string) =>
      expect.poll(() => logged.some((text) => text.includes(sentence))).toBe(true)
    await hasLogged('User information not found. Please login again.')
    await page.evaluate(() => localStorage.removeItem('token'))
    await button(page, 'Approve Withdrawal').click()
    await hasLogged('Authentication required. Please login first.')
    expect(made(calls, 'confirm', 'approve')).toEqual([])
  })

  test("failed decisions without a sentence have their call's default", async ({ page }) => {
    const logged = listen(page)
    await serve(page, {
      ...everything,
      confirm: unsaid,
      approve: unsaid,
      reject: unsaid,
      rejectByPayload: unsaid,
      rejectByPut: unsaid,
    })
    await reject(page, '')
    await button(page, 'Approve Deposit').click()
    await button(page, 'Approve Withdrawal').click()
    for (const sentence of [
      'Failed to reject transaction',
      'Failed to confirm deposit',
      'Failed to approve transaction',
    ])
      await expect.poll(() => logged.some((text) => text.includes(sentence)), sentence).toBe(true)
  })
})
