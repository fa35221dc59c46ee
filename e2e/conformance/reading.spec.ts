import { expect, type Locator } from '@playwright/test'
import {
  adminInvestment,
  investment,
  ok,
  serve,
  transaction,
  USER_ID,
  user,
  without,
} from './answers.ts'
import { listen, rows, test } from './browser.ts'

/** Every shape of responses in docs/product.md 10.3 to 10.7, and the defaults of missing fields. */

test.use({ timezoneId: 'UTC' })

/** A no-break space compares as a space. */
const saying = (text: string) => new RegExp(text.replace(/[.$()]/g, '\\$&').replaceAll(' ', '\\s'))

const colour = (badge: Locator) => badge.evaluate((element) => getComputedStyle(element).color)

test.describe('of an investor', () => {
  test.use({ role: 'client' })

  test('moments are arrays, ISO texts or epoch numbers', async ({ page }) => {
    const moments = [
      [[2026, 3, 4], 'Mar 4, 2026, 12:00 AM'],
      [[2026, 3, 4, 17], 'Mar 4, 2026, 5:00 PM'],
      [[2026, 3, 4, 17, 6], 'Mar 4, 2026, 5:06 PM'],
      [[2026, 3, 4, 17, 6, 59], 'Mar 4, 2026, 5:06 PM'],
      [[2026, 12, 31, 23, 59, 59, 999_000_000], 'Dec 31, 2026, 11:59 PM'],
      ['2026-03-04T17:06:07Z', 'Mar 4, 2026, 5:06 PM'],
      ['2026-03-04T17:06:07.123', 'Mar 4, 2026, 5:06 PM'],
      ['2026-03-04T17:06:07+02:00', 'Mar 4, 2026, 3:06 PM'],
      [1_772_643_967, 'Mar 4, 2026, 5:06 PM'],
      [1_772_643_967_000, 'Mar 4, 2026, 5:06 PM'],
      [[2026, 2, 31], 'N/A'],
      [[2026, 3], 'N/A'],
      ['yesterday', 'N/A'],
      [null, 'N/A'],
    ] as const
    const list = moments.map(([createdAt], index) => ({
      ...transaction({ id: `t${index}`, amount: 100 + index }),
      createdAt,
    }))
    await serve(page, { listTransactions: ok(list) })
    await page.goto('/dashboard')
    await expect(
      page.getByRole('heading', { name: `Recent Transactions (${moments.length})` }),
    ).toBeVisible()
    for (const [index, [, shown]] of moments.entries())
      await expect(rows(page, `$${100 + index}.00`)).toContainText(saying(shown))
  })

  test('missing fields have defaults, and unknown values are grey', async ({ page }) => {
    await serve(page, {
      listTransactions: ok([
        { ...without(transaction({ id: 'bare', amount: 1 }), 'type', 'status') },
        { ...transaction({ id: 'odd', amount: 2 }), type: 'ADJUSTMENT', status: 'ON_HOLD' },
        { ...without(transaction({ id: 'empty' }), 'amount', 'description'), type: 'Withdrawal' },
        { ...without(transaction({ amount: 4 }), 'id'), transactionId: 'only-transaction-id' },
      ]),
    })
    await page.goto('/dashboard')
    await expect(rows(page, '$1.00')).toContainText(/deposit/i)
    await expect(rows(page, '$1.00')).toContainText('PENDING')
    await expect(rows(page, '$2.00')).toContainText(/adjustment/i)
    await expect(rows(page, /withdrawal/i)).toContainText('N/A')
    await expect(rows(page, '$4.00')).toHaveCount(1)
    const odd = page.getByText('ON_HOLD', { exact: true })
    await expect(odd).toHaveAttribute('data-color', 'grey')
  })

  test('each status has its own colour', async ({ page }) => {
    const colours = {
      APPROVED: 'green',
      PENDING: 'amber',
      REJECTED: 'red',
      COMPLETED: 'primary',
      PROCESSING: 'blue',
      EXPIRED: 'grey',
    } as const
    const statuses = Object.keys(colours) as (keyof typeof colours)[]
    await serve(page, {
      listTransactions: ok(
        statuses.map((status, index) => transaction({ id: `t${index}`, status })),
      ),
    })
    await page.goto('/dashboard')
    const shown: string[] = []
    for (const status of statuses) {
      const badge = page.getByText(status, { exact: true })
      await expect(badge).toHaveAttribute('data-color', colours[status])
      shown.push(await colour(badge))
    }
    expect(new Set(shown).size).toBe(statuses.length)
  })

  test("the stored user's investments are listed, with N/A for gaps", async ({ page }) => {
    await serve(page, {
      listInvestments: ok([
        without(
          investment({ id: 'bare', investmentId: 'bare' }),
          'maturityDate',
          'interest',
          'returnAmount',
          'amount',
          'status',
        ),
        {
          ...without(investment(), 'id', 'interest'),
          investmentId: 'by-return-amount',
          returnAmount: 8,
        },
        investment({ id: 'by-interest', interest: 9 }),
        investment({ id: 'foreign', userId: '00000000-0000-4000-8000-000000000000' }),
        without(investment({ id: 'nobodys' }), 'userId'),
      ]),
    })
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'My Investments (3)' })).toBeVisible()
    const bare = rows(page, 'bare')
    await expect(bare.getByText('N/A')).toHaveCount(2)
    await expect(bare).toContainText('PENDING')
    await expect(rows(page, 'by-return-amount')).toContainText('$8.00')
    await expect(rows(page, 'by-interest')).toContainText('$9.00')
    await expect(rows(page, 'by-interest')).toContainText(saying('Mar 16, 2026, 5:06 AM'))
    for (const id of ['foreign', 'nobodys']) await expect(page.getByText(id)).toHaveCount(0)
  })

  test('long lists scroll within a fixed height', async ({ page }) => {
    const many = Array.from({ length: 60 }, (_, index) =>
      transaction({ id: `t${index}`, amount: index + 1 }),
    )
    await serve(page, {
      listTransactions: ok(many),
      listInvestments: ok(many.map(({ id }) => investment({ id, userId: USER_ID }))),
    })
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'My Investments (60)' })).toBeVisible()
    for (const name of [/^Recent Transactions/, /^My Investments/]) {
      const list = page.getByRole('region', { name })
      // Rows out of view are not laid out.
      await list.scrollIntoViewIfNeeded()
      await expect
        .poll(() => list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight))
        .toBeGreaterThan(0)
    }
  })

  test('responses that are no lists count as empty', async ({ page }) => {
    await serve(page, { listTransactions: ok(null), listInvestments: ok({}) })
    await page.goto('/dashboard')
    await expect(page.getByText('No transactions yet')).toBeVisible()
    await expect(page.getByText('No investments yet')).toBeVisible()
  })
})

test.describe('of a super admin', () => {
  test.use({ role: 'SUPER_ADMIN' })

  test("the admin's lists show defaults for missing fields", async ({ page }) => {
    await serve(page, {
      listTransactions: ok([
        { ...transaction({ id: 'a', amount: 1, userEmail: 'mail@example.com' }), username: null },
        { ...transaction({ id: 'b', amount: 2, username: 'name-only' }), userEmail: null },
        without(transaction({ id: 'c', amount: 3 }), 'username', 'userEmail', 'userId'),
        { ...transaction({ id: 'd', amount: 4 }), type: 'ADJUSTMENT', status: 'ON_HOLD' },
      ]),
      listAllInvestments: ok([
        {
          ...adminInvestment({ id: 'a', amount: 500, interest: 35, returnAmount: 999 }),
          status: undefined,
        },
        without(adminInvestment({ id: 'b', interest: 6 }), 'userName', 'userEmail'),
      ]),
    })
    await page.goto('/admin')
    await page.getByRole('tab', { name: /^Transactions/ }).click()
    await expect(rows(page, '$1.00', 'mail@example.com', 'N/A')).toHaveCount(1)
    await expect(rows(page, '$2.00', 'name-only', 'N/A')).toHaveCount(1)
    await expect(rows(page, '$3.00').getByText('N/A')).toHaveCount(3)
    await expect(
      rows(page, '$4.00', /adjustment/i)
        .getByText('ON_HOLD', { exact: true })
        .first(),
    ).toHaveAttribute('data-color', 'grey')
    await expect(rows(page, '$4.00').getByText(/^adjustment$/i)).toHaveAttribute(
      'data-tone',
      'grey',
    )

    await page.getByRole('tab', { name: /^Investments/ }).click()
    await expect(rows(page, '$35.00', 'ACTIVE')).toHaveCount(1)
    await expect(rows(page, '$999.00')).toHaveCount(0)
    await expect(rows(page, '$6.00').getByText('N/A')).toHaveCount(2)
  })

  test('users show name, initials, email, role and join date', async ({ page }) => {
    const complaints = listen(page)
    await serve(page, {
      listUsers: ok([
        user({
          id: 'a',
          roles: [{ type: 'USER' }, { type: 'SUPER_ADMIN' }],
          detail: { firstName: 'Grace', lastName: 'Hopper', email: 'g@example.com' },
        }),
        user({
          id: 'b',
          roles: [{ type: 'ADMIN' }],
          detail: { firstName: 'Alan', lastName: 'Turing', email: 'a@example.com' },
        }),
        user({ id: 'c', roles: [] }),
        without(
          user({ id: 'd', username: 'no-detail@example.com' }),
          'detail',
          'roles',
          'dateCreated',
        ),
      ]),
    })
    await page.goto('/admin')
    await expect(rows(page, 'Grace Hopper', 'g@example.com', 'GH')).toContainText(
      saying('Jan 2, 2026, 3:04 AM'),
    )
    for (const [name, role, tone] of [
      ['Grace Hopper', 'SUPER_ADMIN', 'red'],
      ['Alan Turing', 'admin', 'purple'],
      ['Ada Lovelace', 'client', 'grey'],
    ] as const)
      await expect(rows(page, name).getByText(role, { exact: true })).toHaveAttribute(
        'data-tone',
        tone,
      )
    await expect(rows(page, 'no-detail@example.com')).toContainText('N/A')
    expect(complaints.filter((text) => text.includes('Error'))).toEqual([])
  })
})
