import { expect } from '@playwright/test'
import { answer, made, of, ok, type Reply, serve, TOKEN, transaction, USER_ID } from './answers.ts'
import { button, openDialog, rows, test } from './browser.ts'

const DEPOSIT = transaction({ id: 'd0000000-0000-4000-8000-000000000001', amount: 11 })
const _WITHDRAWAL = transaction({
  id: 'd0000000-0000-4000-8000-000000000002',
  amount: 22,
  type: 'withdrawal',
})

const unsaid = answer(200, { successful: false })

/** Replies that wait for each other: none comes before all calls were made. */
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

test.describe('of an investor', () => {
  test.use({ role: 'client' })

  test('balance, transactions and investments load in parallel by exact calls', async ({
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
    // The next maturities are a list of their own.
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

  test('the three money calls send the specified fields', async ({ page }) => {
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

  test("a failed load has its call's sentence and offers Retry", async ({ page }) => {
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

  test('without a stored user id each screen says so', async ({ page }) => {
    const calls = await serve(page)
    await page.goto('/dashboard')
    await expect(page.getByText('$1,000.00')).toBeVisible()
    await page.evaluate(() => localStorage.removeItem('userId'))
    const before = calls.length
    await button(page, 'Refresh').click()
    // The balance and the list of investments say so, and late figures may.
    const said = page.getByText('User ID not found. Please login again.')
    await expect.poll(() => said.count()).toBeGreaterThanOrEqual(2)

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
