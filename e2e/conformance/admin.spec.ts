import { expect, type Page } from '@playwright/test'
import { adminInvestment, EMAIL, made, ok, serve, transaction, user, wallet } from './answers.ts'
import { button, rows, test } from './browser.ts'

const card = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Figures' }).getByRole('listitem').filter({ hasText: name })
const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name })

const somewhat = {
  listUsers: ok([
    user(),
    user({
      id: 'other',
      detail: { firstName: 'Grace', lastName: 'Hopper', email: 'other@example.com' },
    }),
  ]),
  listTransactions: ok([
    transaction({ id: 't1' }),
    transaction({ id: 't2', type: 'withdrawal' }),
    transaction({ id: 't3', status: 'APPROVED' }),
  ]),
  listAllInvestments: ok([
    adminInvestment({ id: 'i1', status: 'PENDING', interest: 4 }),
    adminInvestment({ id: 'i2', interest: 5 }),
  ]),
  listWallets: ok([
    wallet(),
    wallet({
      id: 'w2',
      address: '0x52908400098527886E0F7030069857D2E4169EE7',
      networkName: 'Ethereum',
      assigned: true,
    }),
  ]),
  totalBalance: ok(12_345.6),
}

test.describe('of a super admin', () => {
  test.use({ role: 'SUPER_ADMIN' })

  test('four tabs with counts begin with Users, and five figures', async ({ page }) => {
    await serve(page, somewhat)
    await page.goto('/admin')
    await expect(page.getByRole('banner')).toContainText(EMAIL)
    await expect(page.getByRole('tab')).toHaveText([
      'Users (2)',
      'Transactions (3)',
      'Investments (2)',
      'Wallets (2)',
    ])
    await expect(tab(page, /^Users/)).toHaveAttribute('aria-selected', 'true')
    for (const [name, figure] of Object.entries({
      'Total Users': '2',
      'Pending Transactions': '2',
      'Pending Investments': '1',
      'Total Wallets': '2',
      'Total Balance': '$12,345.60',
    }))
      await expect(card(page, name)).toContainText(figure)
  })

  test("losing the role of super admin leaves the users' tab", async ({ page }) => {
    await serve(page, {
      ...somewhat,
      currentUser: (_, before) =>
        ok(user({ roles: [{ type: before === 0 ? 'SUPER_ADMIN' : 'ADMIN' }] })),
    })
    await page.clock.install()
    await page.goto('/admin')
    await expect(rows(page, 'other@example.com')).toHaveCount(1)
    for (const time of ['02:00', '02:00', '01:00']) {
      await page.clock.runFor(time)
      await page.keyboard.press('a')
    }
    await expect(tab(page, /^Users/)).toHaveCount(0)
    await expect(tab(page, /^Transactions/)).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByText('other@example.com')).toHaveCount(0)
  })
})

test.describe('of an admin', () => {
  test.use({ role: 'admin' })

  test('three tabs begin with Transactions, and no users load', async ({ page }) => {
    const calls = await serve(page, somewhat)
    await page.goto('/admin')
    await expect(page.getByRole('tab')).toHaveText([
      'Transactions (3)',
      'Investments (2)',
      'Wallets (2)',
    ])
    await expect(tab(page, /^Transactions/)).toHaveAttribute('aria-selected', 'true')
    await button(page, 'Refresh Data').click()
    await expect.poll(() => made(calls, 'totalBalance').length).toBeGreaterThan(1)
    expect(made(calls, 'listUsers')).toEqual([])
  })

  test('only pending transactions offer decisions, by their type', async ({ page }) => {
    const types = ['deposit', 'withdrawal', 'investment'] as const
    const labels = {
      APPROVED: 'Approved',
      REJECTED: 'Rejected',
      COMPLETED: 'Completed',
      PROCESSING: 'Processing',
      EXPIRED: 'Expired',
    } as const
    const statuses = ['PENDING', ...Object.keys(labels)] as ('PENDING' | keyof typeof labels)[]
    const all = statuses.flatMap((status, at) =>
      types.map((type, which) => ({ status, type, amount: 100 * (at + 1) + which })),
    )
    await serve(page, {
      listTransactions: ok(
        all.map((differs, index) => transaction({ id: `t${index}`, ...differs })),
      ),
    })
    await page.goto('/admin')
    for (const { status, type, amount } of all) {
      const row = rows(page, `$${amount}.00`)
      const offered = {
        deposit: ['Approve Deposit'],
        withdrawal: ['Approve Withdrawal', 'Reject Withdrawal'],
        investment: [],
      }[type]
      await expect(row.getByRole('button', { name: /Approve|Reject/ })).toHaveText(
        status === 'PENDING' ? offered : [],
      )
      if (status !== 'PENDING')
        await expect(row.getByText(labels[status], { exact: true })).toBeVisible()
    }
  })

  test('empty tables say that they are empty', async ({ page }) => {
    await serve(page)
    await page.goto('/admin')
    await expect(page.getByText('No transactions found')).toBeVisible()
    await tab(page, /^Investments/).click()
    await expect(page.getByText('No investments found')).toBeVisible()
    await tab(page, /^Wallets/).click()
    await expect(page.getByText('No wallets found')).toBeVisible()
    await expect(page.getByText('Get started by adding your first wallet.')).toBeVisible()
    await button(page, 'Add Wallet').click()
    await expect(page.getByRole('dialog', { name: 'Add New Wallet' })).toBeVisible()
  })

  test('wallets are cards with network, short address and state', async ({ page }) => {
    await serve(page, somewhat)
    await page.goto('/admin')
    await tab(page, /^Wallets/).click()
    await expect(page.getByRole('heading', { name: 'Wallet Management' })).toBeVisible()
    await expect(page.getByText('Wallets (2)', { exact: true }).last()).toBeVisible()
    const cards = page.getByRole('list', { name: 'Wallets' }).getByRole('listitem')
    const [bitcoin, ethereum] = [
      cards.filter({ hasText: 'Bitcoin' }),
      cards.filter({ hasText: 'Ethereum' }),
    ]
    await expect(
      bitcoin.getByText(/^bc1qar0s(…|\.\.\.)zwf5mdq$|^bc1qar0s(…|\.\.\.)zzwf5mdq$/),
    ).toBeVisible()
    await expect(bitcoin.getByText('Available', { exact: true })).toBeVisible()
    await expect(bitcoin.locator('[data-network]')).toHaveAttribute('data-network', 'bitcoin')
    await expect(bitcoin).toContainText(/Feb 3, 2026/)
    await expect(ethereum.getByText(/^0x529084(…|\.\.\.)E4169EE7$/)).toBeVisible()
    await expect(ethereum.getByText('Assigned', { exact: true })).toBeVisible()
    await expect(ethereum.locator('[data-network]')).toHaveAttribute('data-network', 'ethereum')
    for (const one of [bitcoin, ethereum])
      await expect(one.getByRole('button', { name: /^Delete wallet/ })).toBeVisible()
  })

  test('every tab warns at a tenth of the wallets', async ({ page }) => {
    const stock = (assigned: number, available: number) =>
      ok(
        Array.from({ length: assigned + available }, (_, n) =>
          wallet({ id: `w${n}`, assigned: n < assigned }),
        ),
      )
    let wallets = stock(17, 2)
    await serve(page, { listWallets: () => wallets })
    await page.goto('/admin')
    const warning = page.getByRole('status').filter({ hasText: 'deposit wallet' })
    await expect(card(page, 'Total Wallets')).toContainText('19')
    await expect(warning).toHaveCount(0)
    for (const [now, sentence] of [
      [
        stock(18, 2),
        'Only 2 of 20 deposit wallets are available: soon new investors cannot deposit.',
      ],
      [
        stock(19, 1),
        'Only 1 of 20 deposit wallets is available: soon new investors cannot deposit.',
      ],
      [stock(20, 0), 'No deposit wallet is available: investors who have none cannot deposit.'],
    ] as const) {
      wallets = now
      await button(page, 'Refresh Data').click()
      await expect(warning).toContainText(sentence)
    }
    await warning.getByRole('link', { name: 'Add wallets' }).click()
    await expect(page.getByText('0 available')).toBeVisible()
    await expect(button(page, 'Add Wallet')).toBeVisible()
  })

  test('decisions about an investment stay in this view only', async ({ page }) => {
    const calls = await serve(page, {
      listAllInvestments: ok([
        adminInvestment({ id: 'i1', status: 'PENDING', interest: 4 }),
        adminInvestment({ id: 'i2', status: 'PENDING', interest: 5 }),
        adminInvestment({ id: 'i3', interest: 6 }),
      ]),
    })
    await page.goto('/admin')
    await tab(page, /^Investments/).click()
    await expect(rows(page, '$6.00').getByRole('button', { name: /Approve|Reject/ })).toHaveCount(0)
    await expect(rows(page, '$6.00')).toContainText('matures Mar 16, 2026')
    const before = calls.length
    await button(rows(page, '$4.00'), /Approve/).click()
    await button(rows(page, '$5.00'), /Reject/).click()
    await expect(rows(page, '$4.00')).toContainText('APPROVED')
    await expect(rows(page, '$5.00')).toContainText('REJECTED')
    for (const amount of ['$4.00', '$5.00'])
      await expect(rows(page, amount)).toContainText('in this view only')
    // Lists may still load. No other call is sent.
    expect(calls.slice(before).filter(({ method }) => method !== 'GET')).toEqual([])
    await page.reload()
    await tab(page, /^Investments/).click()
    for (const amount of ['$4.00', '$5.00'])
      await expect(rows(page, amount)).toContainText('PENDING')
  })
})
