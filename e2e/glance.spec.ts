import { expect, type Page } from '@playwright/test'
import { formatDollars } from '@pool/contract/base/money'
import { invest } from '@pool/contract/money/investments'
import { adminFigures, userFigures } from '@pool/contract/reports/figures'
import { deposit } from '@pool/contract/requests/requests'
import { violations } from './axe.ts'
import { test } from './fixtures.ts'
import { busyInvestor, fund, newWallet } from './prepare.ts'
import { expectAccessible } from './steps.ts'

/** The dashboards at a glance: figures over time, next maturities, honest rates, hidden amounts. */

const nameOf = ([year = 0, month = 1, day]: readonly number[]) =>
  new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: day ? 'short' : 'long',
    ...(day && { day: 'numeric' }),
    timeZone: 'UTC',
  }).format(Date.UTC(year, month - 1, day ?? 1))

const dayBefore = ([year = 0, month = 1, day = 1]: readonly number[]): number[] => {
  const before = new Date(Date.UTC(year, month - 1, day - 1))
  return [before.getUTCFullYear(), before.getUTCMonth() + 1, before.getUTCDate()]
}

/** The rows of a chart's table as texts of cells, as a screen reader finds them. */
const tableOf = async (page: Page, name: string): Promise<string[][]> => {
  const table = page.getByRole('table', { name, exact: true })
  await expect(table).toHaveCount(1)
  return table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
    )
}

test('figures and charts of a dashboard come from the API', async ({ open, people, pool }) => {
  const page = await open(people.investor, '/dashboard')
  await test.step('the total is the sum of its four parts', async () => {
    const { totals, invested, interestToCome, held, onTheWay, depositsToCome } = await pool.call(
      userFigures,
      people.investor,
    )
    const total = totals.at(-1)?.total ?? 0
    const card = page.getByRole('region', { name: 'Account Balance' })
    const elsewhere = [invested, held, onTheWay]
    const cents = elsewhere.map((dollars) => Math.round(dollars * 100))
    const available = (Math.round(total * 100) - cents.reduce((sum, part) => sum + part)) / 100
    expect(available).toBeGreaterThan(0)
    for (const [label, dollars] of [
      ['Total value', total],
      ['Account Balance', available],
      ['Invested', invested],
      ['Interest due', interestToCome],
      ['Held for withdrawals', held],
      ['On the way', onTheWay],
      ['On its way in', depositsToCome],
    ] as const)
      await expect(card.getByText(label, { exact: true }).locator('..')).toContainText(
        formatDollars(dollars),
      )
    const lengths = await card
      .locator('[aria-hidden] > [data-part]')
      .evaluateAll((parts) => parts.map((part) => Number(getComputedStyle(part).flexGrow)))
    expect(lengths).toEqual([available, ...elsewhere].filter((dollars) => dollars > 0))
  })
  await test.step("the charts' tables hold the figures of the API", async () => {
    await expect(page.getByRole('slider', { name: 'Total value over time' })).toBeAttached()
    const { totals } = await pool.call(userFigures, people.investor)
    const [[before], ...shown] = (await tableOf(page, 'Total value over time')).reverse() as [
      string[],
      ...string[][],
    ]
    // The chart rises from zero, on the day before the first deposit.
    expect(shown).toEqual(totals.map(({ day, total }) => [nameOf(day), formatDollars(total)]))
    expect(before).toBe(nameOf(dayBefore(totals[0]?.day ?? [])))
  })
  await test.step("arrow keys read a chart's points and Escape ends it", async () => {
    const { totals } = await pool.call(userFigures, people.investor)
    const today = totals.at(-1)
    const before = totals.at(-2) ?? { day: dayBefore(today?.day ?? []), total: 0 }
    const slider = page.getByRole('slider', { name: 'Total value over time' })
    await slider.focus()
    const said = (figure: typeof today) =>
      `${nameOf(figure?.day ?? [])}: ${formatDollars(figure?.total ?? 0)}`
    await expect(slider).toHaveAttribute('aria-valuetext', said(today))
    await page.keyboard.press('ArrowLeft')
    await expect(slider).toHaveAttribute('aria-valuetext', said(before))
    const tooltip = page
      .getByRole('region', { name: 'Total value over time' })
      .getByText(nameOf(before?.day ?? []), { exact: true })
    // Once in the table and once at the point.
    await expect(tooltip).toHaveCount(2)
    await page.keyboard.press('Escape')
    await expect(tooltip).toHaveCount(1)
  })
  await test.step('a chart can be read as a table', async () => {
    await page.getByRole('region', { name: 'Total value over time' }).scrollIntoViewIfNeeded()
    await page.getByRole('button', { name: 'Show as table: Total value over time' }).click()
    await expect(page.getByRole('table', { name: 'Total value over time' })).toBeInViewport()
    await expect(page.getByRole('slider', { name: 'Total value over time' })).toHaveCount(0)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Show as chart: Total value over time' }).click()
    await expect(page.getByRole('slider', { name: 'Total value over time' })).toBeAttached()
  })
})

test('the table of days holds the figures of the API', async ({ open, people, pool }) => {
  const page = await open(people.superAdmin, '/dashboard')
  const flows = await tableOf(page, 'Deposits and withdrawals')
  const { days } = await pool.call(adminFigures, people.superAdmin)
  // Other tests change today. The days before are complete, from the beginning of the data on.
  expect(flows.length).toBeGreaterThanOrEqual(7)
  expect(flows.slice(1)).toEqual(
    days
      .slice(-flows.length, -1)
      .map(({ day, deposits, withdrawals }) => [
        nameOf(day),
        formatDollars(deposits),
        formatDollars(withdrawals),
      ])
      .reverse(),
  )
  expect(flows[0]?.[0]).toBe(nameOf(days.at(-1)?.day ?? []))
  expect(flows[0]?.[1]).not.toBe('$0.00')
})

test('hidden amounts are announced, stay hidden, and spare inputs', async ({ open, people }) => {
  const page = await open(people.investor, '/dashboard')
  const amounts = page.getByText(/\$\s?\d/)
  await expect(page.getByRole('region', { name: 'Account Balance' })).toContainText('$')
  await expect(page.getByRole('slider', { name: 'Total value over time' })).toBeAttached()
  await page.getByRole('button', { name: 'Hide amounts' }).click()
  await expect(amounts).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Account Balance' })).toContainText('•••••')
  await expect(
    page.getByRole('region', { name: 'Account Balance' }).getByText('hidden').first(),
  ).toBeAttached()
  await expect(page.getByRole('slider', { name: 'Total value over time' })).toHaveAttribute(
    'aria-valuetext',
    /hidden$/,
  )
  expect(await violations(page)).toEqual([])

  await page.reload()
  await expect(page.getByRole('region', { name: 'Account Balance' })).toContainText('•••••')
  await expect(amounts).toHaveCount(0)
  await page.getByRole('button', { name: /^Invest/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Available balance').locator('..')).toContainText('•••••')
  await dialog.getByLabel('Amount').fill('100')
  await expect(dialog).toContainText('$4.00')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Show amounts' }).click()
  await expect(page.getByRole('region', { name: 'Account Balance' })).toContainText('$')
})

test('each plan shows interest, maturity and simple yearly rate', async ({ open, people }) => {
  const opened = Date.now()
  const page = await open(people.investor, '/dashboard', { own: { timezoneId: 'Asia/Tokyo' } })
  await page.getByRole('button', { name: /^Invest/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('1000')
  const plans = dialog.getByRole('list', { name: 'What each plan earns' }).getByRole('listitem')
  await expect(plans).toHaveText([
    /1 day - 4%.*\$40\.00.*1,460% a year/,
    /5 days - 5%.*\$50\.00.*365% a year/,
    /12 days - 7%.*\$70\.00.*213% a year/,
  ])
  await expect(dialog).toContainText('Times are in your time zone: Japan')
  await expect(dialog).toContainText(
    "Returns are paid only from the pool's reserve. Your capital is at risk.",
  )
  const maturity = new Date((await plans.last().locator('time').getAttribute('datetime')) ?? '')
  // By the length of the run's day, at any moment after the page was opened.
  const term = 12_000 * Number(process.env.DAY_SECONDS)
  expect(maturity.getTime()).toBeGreaterThanOrEqual(opened + term - 1_000)
  expect(maturity.getTime()).toBeLessThanOrEqual(Date.now() + term)
  await dialog.getByLabel('Duration').selectOption('12 days - 7%')
  await expect(dialog).toContainText('$1,070.00')
})

test('an amount without interest is refused with the least', async ({ open, people }) => {
  const page = await open(people.investor, '/dashboard')
  await page.getByRole('button', { name: /^Invest/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('0.24')
  const plans = dialog.getByRole('list', { name: 'What each plan earns' }).getByRole('listitem')
  await expect(plans).toHaveText([/minimum \$0\.25/, /\+ \$0\.01/, /\+ \$0\.01/])
  await dialog.getByLabel('Duration').selectOption('1 day - 4%')
  await dialog.getByRole('button', { name: 'Make Investment' }).click()
  await expect(dialog).toContainText(
    'This amount would earn no interest on this plan. Please invest at least $0.25.',
  )

  await page.goto('/dashboard?lang=es')
  await page.getByRole('button', { name: 'Invertir' }).click()
  await dialog.getByLabel('Importe').fill('0.14')
  await dialog.getByLabel('Duración').selectOption('12')
  await dialog.getByRole('button', { name: 'Realizar inversión' }).click()
  await expect(dialog).toContainText(
    'Este importe no ganaría intereses en este plan. Invierte al menos $0.15.',
  )
})

test('the next maturity comes first', async ({ open, pool }) => {
  const busy = await busyInvestor(pool)
  const page = await open(busy, '/dashboard')
  const upcoming = page.getByRole('region', { name: 'Upcoming maturities' }).getByRole('listitem')
  await expect(upcoming.last()).toContainText('$1,070.00')
  await expect(upcoming.last()).toContainText('$1,000.00')
  await upcoming.last().locator('time').hover()
  await expect(upcoming.last().locator('time')).toHaveAttribute('title', /2\d{3}/)
})

test('a period shows its days, once there are enough', async ({ open, people, pool }) => {
  const page = await open(people.investor, '/dashboard')
  const periods = page.getByRole('group', { name: 'Period' })
  await expect(page.getByRole('slider', { name: 'Total value over time' })).toBeAttached()
  await expect(periods).toHaveCount(0)
  const body = await pool.call(userFigures, people.investor)
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000)
  const totals = Array.from({ length: 400 }, (_, index) => day(399 - index)).map((at, index) => ({
    day: [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()],
    total: index + 1,
  }))
  await page.route(`**${userFigures.path}`, (route) =>
    route.fulfill({ json: { successful: true, narration: 'OK', body: { ...body, totals } } }),
  )
  await page.reload()
  const days = async () => (await tableOf(page, 'Total value over time')).length
  await expect(periods.getByRole('button', { name: '3M', pressed: true })).toBeVisible()
  expect(await days()).toBe(91)
  await periods.getByRole('button', { name: '1W' }).click()
  await expect.poll(days).toBe(8)
  await periods.getByRole('button', { name: 'All' }).click()
  await expect.poll(days).toBeGreaterThan(91)
  const all = await tableOf(page, 'Total value over time')
  expect(all[0]?.[1]).toBe('$400.00')
})

test('a new investor gets first steps that end', async ({ open, pool }) => {
  const fresh = await pool.person()
  const page = await open(fresh, '/dashboard')
  await expect(page.getByRole('heading', { name: 'Welcome, Grace' })).toBeVisible()
  const steps = page.getByRole('region', { name: 'Your first steps' })
  await expect(steps.getByRole('listitem')).toHaveCount(4)
  await expect(steps.getByRole('link', { name: 'Open Security' }).first()).toBeVisible()
  await expectAccessible(page, 'first-steps')
  for (const name of ['Total value over time', 'Interest per month', 'Upcoming maturities'])
    await expect(page.getByRole('region', { name })).toHaveCount(0)
  for (const text of ['No transactions yet', 'No investments yet']) {
    const box = await page.getByText(text).locator('..').boundingBox()
    expect(box?.height).toBeLessThan(120)
  }
  await steps.getByRole('button', { name: 'Make a deposit' }).click()
  await expect(page.getByRole('dialog', { name: 'Initiate Deposit' })).toBeVisible()
  await newWallet(pool, await pool.superAdmin())
  await pool.call(deposit, fresh, { userId: fresh.userId, amount: 20 })
  await page.reload()
  await expect(steps).toContainText('Your deposit is waiting')
  await steps.getByRole('link', { name: 'Show the deposit' }).click()
  await expect(page.getByRole('dialog')).toContainText('$20.00')

  await test.step('the steps end with the first investment', async () => {
    const funded = await pool.person()
    await fund(pool, funded, 100)
    await page.close()
    const next = await open(funded, '/dashboard')
    const rest = next.getByRole('region', { name: 'Your first steps' })
    await expect(rest.getByRole('img', { name: 'Done' })).not.toHaveCount(0)
    await rest.getByRole('button', { name: 'Invest' }).click()
    await expect(next.getByRole('dialog', { name: 'Make Investment' })).toBeVisible()
    await pool.call(invest, funded, { userId: funded.userId, amount: 20, durationDays: 12 })
    await next.reload()
    await expect(next.getByRole('region', { name: 'Interest per month' })).toBeVisible()
    await expect(rest).toHaveCount(0)
  })
})

test('the greeting of later visits says back', async ({ open, pool }) => {
  const page = await open(await pool.person(), undefined, { own: {} })
  await page.clock.install({ time: Date.now() + 2 * 3_600_000 })
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Welcome back, Grace' })).toBeVisible()
})

test('the Spanish dashboard is Spanish and passes axe', async ({ open, people }) => {
  const page = await open(people.investor, '/dashboard', { own: { locale: 'es-ES' } })
  await page.goto('/dashboard?lang=es')
  for (const title of [
    'Saldo de la cuenta',
    'Evolución del valor total',
    'Intereses por mes',
    'Próximos vencimientos',
  ])
    await expect(page.getByRole('region', { name: title })).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Mis inversiones \(\d+\)$/ })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Invertir' }).click()
  await expect(page.getByRole('dialog').getByLabel('Duración')).toContainText('5 días')
})
