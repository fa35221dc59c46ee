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
import { button, listen, openDialog, rows, settles, stopClock, test } from './browser.ts'

const DEPOSIT = transaction({ id: 'd0000000-0000-4000-8000-000000000001', amount: 11 })
const WITHDRAWAL = transaction({
  id: 'd0000000-0000-4000-8000-000000000002',
  amount: 22,
  type: 'withdrawal',
})

const unsaid = answer(200, { successful: false })

/** Replies that wait for each other: none comes before all were asked. */
const together = (...replies: readonly Reply[]) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let waiting = replies.length
  return replies.map((reply) => async () => {
    waiting -= 1
    if (waiting === 0) resolve()
    await promise
    return reply
  })
}

test.describe('of a client', () => {
  test.use({ role: 'client' })

  test('balance, transactions and investments load in parallel, by the exact calls', async ({
    page,
  }) => {
    const [balance, listTransactions, listInvestments] = together(
      ok(1_234.5),
      ok([DEPOSIT]),
      ok([]),
    )
    const calls = await serve(page, { balance, listTransactions, listInvestments } as object)
    await page.goto('/dashboard')
    await expect(page.getByText('$1,234.50')).toBeVisible()
    await expect(rows(page, '$11.00')).toHaveCount(1)
    expect(of(calls, 'balance')).toMatchObject([
      { method: 'POST', path: '/api/v1/public/transaction/balance', payload: { userId: USER_ID } },
    ])
    expect(made(calls, 'listTransactions')).toEqual(['GET /api/v1/public/transaction'])
    // What matures next is a list of its own.
    expect(
      made(
        calls.filter(({ query }) => query.sort !== 'maturityDate'),
        'listInvestments',
      ),
    ).toEqual([`GET /api/v1/public/investments/${USER_ID}`])
    for (const { headers } of calls.filter(({ name }) => !['health', 'listPauses'].includes(name)))
      expect(headers.authorization).toBe(`Bearer ${TOKEN}`)
    expect(of(calls, 'balance')[0]?.headers['content-type']).toBe('application/json')
    expect(
      made(
        calls,
        'checkMaturities',
        'listUsers',
        'listWallets',
        'listAllInvestments',
        'totalBalance',
      ),
    ).toEqual([])
  })

  test('a deposit, a withdrawal and an investment send what the specification lists', async ({
    page,
  }) => {
    const calls = await serve(page)
    await page.goto('/dashboard')

    const deposit = await openDialog(page, 'Deposit')
    await deposit.getByLabel('Amount').fill('75.25')
    await button(deposit, 'Initiate Deposit').click()
    await expect(page.getByRole('dialog', { name: 'Deposit Address' })).toBeVisible()
    await page.keyboard.press('Escape')

    const withdrawal = await openDialog(page, 'Withdraw')
    await withdrawal.getByLabel('Amount').fill('10')
    await button(withdrawal, 'Initiate Withdrawal').click()
    await expect(withdrawal).toBeHidden()

    const investment = await openDialog(page, 'Invest')
    await investment.getByLabel('Amount').fill('1000')
    await investment.getByLabel('Duration').selectOption('12 days - 7%')
    await button(investment, 'Make Investment').click()
    await expect(investment).toBeHidden()

    const sent = [
      ['deposit', '/api/v1/public/transaction/deposit', { userId: USER_ID, amount: 75.25 }],
      [
        'withdraw',
        '/api/v1/public/transaction/withdraw',
        { userId: USER_ID, amount: 10, destinationAddress: 'Default Address' },
      ],
      [
        'invest',
        '/api/v1/public/investments/invest',
        { userId: USER_ID, amount: 1_000, durationDays: 12 },
      ],
    ] as const
    for (const [name, path, payload] of sent) {
      const [call, ...more] = of(calls, name)
      expect(more).toEqual([])
      expect(call).toMatchObject({
        method: 'POST',
        path,
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      })
      expect(call?.payload).toEqual(payload)
      expect(call?.headers['idempotency-key']).toMatch(/^[\x21-\x7e]{1,200}$/)
    }
  })

  test('a load that fails says so in the words of the call, and can be repeated in place', async ({
    page,
  }) => {
    let broken = true
    const failing = (reply: Reply) => () => (broken ? unsaid : reply)
    await serve(page, {
      balance: failing(ok(50)),
      listTransactions: failing(ok([DEPOSIT])),
      listInvestments: failing(ok([])),
    })
    await page.goto('/dashboard')
    await expect(page.getByText('Failed to get balance')).toBeVisible()
    const failures = page.getByRole('alert').filter({ hasText: 'Failed to load dashboard data' })
    await expect.poll(() => failures.count()).toBeGreaterThan(1)
    const failed = await failures.count()
    broken = false
    await button(failures.first(), 'Retry').click()
    await expect(failures).toHaveCount(failed - 1)
    await button(page, 'Refresh').click()
    await expect(failures).toHaveCount(0)
    await expect(rows(page, '$11.00')).toHaveCount(1)
    await expect(page.getByText('No investments yet')).toBeVisible()
    await expect(page.getByText('$50.00')).toBeVisible()
    await expect(page.getByText('Failed to get balance')).toHaveCount(0)
  })

  test('without a stored user id nothing is asked for, and each screen says so', async ({
    page,
  }) => {
    const calls = await serve(page)
    await page.goto('/dashboard')
    await expect(page.getByText('$1,000.00')).toBeVisible()
    await page.evaluate(() => localStorage.removeItem('userId'))
    const before = calls.length
    await button(page, 'Refresh').click()
    await expect(page.getByText('User ID not found. Please login again.')).toHaveCount(2)

    const sentences = {
      Deposit: 'User ID not found. Please login again.',
      Withdraw: 'User ID not found. Please login again.',
      Invest: 'User not authenticated',
    }
    for (const action of ['Deposit', 'Withdraw', 'Invest'] as const) {
      const dialog = await openDialog(page, action)
      await dialog.getByLabel('Amount').fill('20')
      if (action === 'Invest') await dialog.getByLabel('Duration').selectOption('1 day - 4%')
      await dialog.locator('[type=submit]').click()
      await expect(dialog.getByRole('alert')).toContainText(sentences[action])
      await button(dialog, 'Cancel').click()
      await expect(dialog).toBeHidden()
    }
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(
      made(calls.slice(before), 'balance', 'listInvestments', 'deposit', 'withdraw', 'invest'),
    ).toEqual([])
  })
})

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
    // What is paused anybody may ask.
    for (const { headers } of calls.filter(({ name }) => name !== 'listPauses'))
      expect(headers.authorization).toBe(`Bearer ${TOKEN}`)
    await button(page, 'Refresh Data').click()
    await expect.poll(() => made(calls, 'checkMaturities').length).toBe(2)
  })

  for (const failing of LOADS) {
    test(`a failure of ${failing} does not block the other loads, and is logged`, async ({
      page,
    }) => {
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

  test('the user list gives up after ten seconds, and says so in the console', async ({ page }) => {
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

  test('a user list that cannot be reached says that the server may be down, one that says nothing has its default', async ({
    page,
  }) => {
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

  test('approving a deposit sends its id and loads all admin data again', async ({ page }) => {
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

  test('approving a withdrawal sends its id and its owner, and loads all admin data again', async ({
    page,
  }) => {
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
    test(`rejecting stops at ${works} when that is the first of its calls that works, and loads all admin data again`, async ({
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

  test('a rejection without a reason sends the default one; one that fails is only logged', async ({
    page,
  }) => {
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

  test('decisions that fail without a word have the words of their call', async ({ page }) => {
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
