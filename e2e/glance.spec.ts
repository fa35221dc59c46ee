import { type APIRequestContext, expect, type Page, test } from '@playwright/test'
import { adminFigures, type UserFigures, userFigures } from '@pool/contract/figures'
import { formatDollars } from '@pool/contract/money'
import { deposit } from '@pool/contract/requests'
import { SUPER_ADMIN } from './people.ts'
import { busyInvestor, newInvestor, newWallet, post, signedIn, startSession } from './prepare.ts'
import { violations } from './steps.ts'

/** The dashboards at a glance: figures over time, next maturities, honest rates, hidden amounts. */

type Session = Awaited<ReturnType<typeof startSession>>
let api: APIRequestContext
let investor: Session
let admin: Session

test.beforeAll(async ({ playwright, baseURL }) => {
  api = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  investor = await busyInvestor(api)
  admin = await startSession(SUPER_ADMIN, api)
})
test.afterAll(() => api.dispose())

const open = async (
  { browser, baseURL }: { browser: Parameters<typeof signedIn>[0]; baseURL: string | undefined },
  session: Session,
  options = {},
): Promise<Page> => {
  const context = await signedIn(browser, session, { baseURL, ...options })
  const page = await context.newPage()
  await page.goto('/dashboard')
  return page
}

const authorized = ({ token }: Session) => ({ headers: { authorization: `Bearer ${token}` } })
const read = async <Body>(path: string, session: Session): Promise<Body> =>
  (await (await api.get(path, authorized(session))).json()).body

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

test("the charts' tables hold the figures of the API", async ({ browser, baseURL }) => {
  const page = await open({ browser, baseURL }, investor)
  await expect(page.getByRole('slider', { name: 'Total value over time' })).toBeAttached()
  const { totals } = await read<UserFigures>(userFigures.path, investor)
  const [[before], ...shown] = (await tableOf(page, 'Total value over time')).reverse() as [
    string[],
    ...string[][],
  ]
  // The chart rises from zero, on the day before the first deposit.
  expect(shown).toEqual(totals.map(({ day, total }) => [nameOf(day), formatDollars(total)]))
  expect(before).toBe(nameOf(dayBefore(totals[0]?.day ?? [])))
  await page.context().close()
})

test('the table of days holds the figures of the API', async ({ browser, baseURL }) => {
  const page = await open({ browser, baseURL }, admin)
  const flows = await tableOf(page, 'Deposits and withdrawals')
  const { days } = await read<{ days: { day: number[]; deposits: number; withdrawals: number }[] }>(
    adminFigures.path,
    admin,
  )
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
  await page.context().close()
})

test("arrow keys read a chart's points and Escape ends it", async ({ browser, baseURL }) => {
  const page = await open({ browser, baseURL }, investor)
  const { totals } = await read<UserFigures>(userFigures.path, investor)
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
  await page.context().close()
})

test('a chart can be read as a table', async ({ browser, baseURL }) => {
  const page = await open({ browser, baseURL }, investor)
  await page.getByRole('region', { name: 'Total value over time' }).scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: 'Show as table: Total value over time' }).click()
  await expect(page.getByRole('table', { name: 'Total value over time' })).toBeInViewport()
  await expect(page.getByRole('slider', { name: 'Total value over time' })).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Show as chart: Total value over time' }).click()
  await expect(page.getByRole('slider', { name: 'Total value over time' })).toBeAttached()
  await page.context().close()
})

test('hidden amounts are announced, stay hidden, and spare inputs', async ({
  browser,
  baseURL,
}) => {
  const page = await open({ browser, baseURL }, investor)
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
  await page.context().close()
})

test('each plan shows interest, maturity and simple yearly rate', async ({ browser, baseURL }) => {
  const opened = Date.now()
  const page = await open({ browser, baseURL }, investor, { timezoneId: 'Asia/Tokyo' })
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
  await page.context().close()
})

test('an amount without interest is refused with the least', async ({ browser, baseURL }) => {
  const page = await open({ browser, baseURL }, investor)
  await page.getByRole('button', { name: /^Invest/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('0.24')
  const plans = dialog.getByRole('list', { name: 'What each plan earns' }).getByRole('listitem')
  await expect(plans).toHaveText([/earns from \$0\.25/, /\+ \$0\.01/, /\+ \$0\.01/])
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
  await page.context().close()
})

test('the next maturity comes first', async ({ browser, baseURL }) => {
  const busy = await busyInvestor(api)
  const page = await open({ browser, baseURL }, busy)
  const upcoming = page.getByRole('region', { name: 'Upcoming maturities' }).getByRole('listitem')
  await expect(upcoming.last()).toContainText('$1,070.00')
  await expect(upcoming.last()).toContainText('$1,000.00')
  await upcoming.last().locator('time').hover()
  await expect(upcoming.last().locator('time')).toHaveAttribute('title', /2\d{3}/)
  await page.context().close()
})

test('the total is the sum of its four parts', async ({ browser, baseURL }) => {
  const page = await open({ browser, baseURL }, investor)
  const { totals, invested, interestToCome, held } = await read<UserFigures>(
    userFigures.path,
    investor,
  )
  const total = totals.at(-1)?.total ?? 0
  const card = page.getByRole('region', { name: 'Account Balance' })
  const cents = [invested, interestToCome, held].map((dollars) => Math.round(dollars * 100))
  const available = (Math.round(total * 100) - cents.reduce((sum, part) => sum + part)) / 100
  expect(available).toBeGreaterThan(0)
  for (const [label, dollars] of [
    ['Total value', total],
    ['Account Balance', available],
    ['Invested', invested],
    ['Interest to come', interestToCome],
    ['Held for withdrawals', held],
  ] as const)
    await expect(card.getByText(label, { exact: true }).locator('..')).toContainText(
      formatDollars(dollars),
    )
  const lengths = await card
    .locator('[aria-hidden] > [data-part]')
    .evaluateAll((parts) => parts.map((part) => Number(getComputedStyle(part).flexGrow)))
  expect(lengths).toEqual([available, invested, interestToCome, held])
  await page.context().close()
})

test('a period shows its days, once there are enough', async ({ browser, baseURL }) => {
  const page = await open({ browser, baseURL }, investor)
  const periods = page.getByRole('group', { name: 'Period' })
  await expect(page.getByRole('slider', { name: 'Total value over time' })).toBeAttached()
  await expect(periods).toHaveCount(0)
  const { body, ...rest } = await (await api.get(userFigures.path, authorized(investor))).json()
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000)
  const totals = Array.from({ length: 400 }, (_, index) => day(399 - index)).map((at, index) => ({
    day: [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()],
    total: index + 1,
  }))
  await page.route(`**${userFigures.path}`, (route) =>
    route.fulfill({ json: { ...rest, body: { ...body, totals } } }),
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
  await page.context().close()
})

test('a new investor gets one next step', async ({ browser, baseURL }) => {
  const fresh = await newInvestor(api)
  const page = await open({ browser, baseURL }, fresh)
  await expect(page.getByRole('heading', { name: 'Welcome, Grace' })).toBeVisible()
  const step = page.getByRole('region', { name: 'Start with a deposit' })
  await expect(step).toBeVisible()
  for (const name of ['Total value over time', 'Interest per month', 'Upcoming maturities'])
    await expect(page.getByRole('region', { name })).toHaveCount(0)
  for (const text of ['No transactions yet', 'No investments yet']) {
    const box = await page.getByText(text).locator('..').boundingBox()
    expect(box?.height).toBeLessThan(120)
  }
  await step.getByRole('button', { name: 'Make a deposit' }).click()
  await expect(page.getByRole('dialog', { name: 'Initiate Deposit' })).toBeVisible()
  await newWallet(api, admin)
  await post(api, deposit.path, { userId: fresh.userId, amount: 20 }, fresh.token)
  await page.reload()
  const waiting = page.getByRole('region', { name: 'Your deposit is waiting' })
  await waiting.getByRole('link', { name: 'Show the deposit' }).click()
  await expect(page.getByRole('dialog')).toContainText('$20.00')
  await page.context().close()
})

test('the greeting of later visits says back', async ({ browser, baseURL }) => {
  const context = await signedIn(browser, await newInvestor(api), { baseURL })
  const page = await context.newPage()
  await page.clock.install({ time: Date.now() + 2 * 3_600_000 })
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Welcome back, Grace' })).toBeVisible()
  await context.close()
})

test('the Spanish dashboard is Spanish and passes axe', async ({ browser, baseURL }) => {
  const page = await open({ browser, baseURL }, investor, { locale: 'es-ES' })
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
  await page.context().close()
})
