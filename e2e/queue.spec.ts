import { expect, type Locator, type Page } from '@playwright/test'
import { confirm } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import { newAddress } from '../server/testing/addresses.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'
import { newWallet } from './prepare.ts'
import { expectAccessible, settled, still } from './steps.ts'

/** The queue of an own product: more than 200 requests wait, and one person decides. */

test.describe.configure({ mode: 'serial' })

const INVESTORS = 41
/** The most that may wait for one investor, whose requests are flagged for it. */
const MANY = 20
/** The most requests of a day that are not flagged. */
const FEW = 5

let own: OwnProduct
let admin: Session
let investors: Session[]
let page: Page

const ask = (amount: number, investor: Session) =>
  own.call(deposit, investor, { userId: investor.userId, amount })

const first = (): Session => investors[0] as Session

test.beforeAll(async () => {
  own = await startOwnProduct()
  admin = await own.superAdmin()
  investors = []
  for (let count = 0; count < INVESTORS; count++) {
    await newWallet(own, admin)
    const investor = await own.person()
    investors.push(investor)
    if (count === 0) {
      const { transactionId } = await ask(500, investor)
      await own.call(confirm, admin, { transactionId })
      for (const amount of [51, 52])
        await own.call(withdraw, investor, {
          userId: investor.userId,
          amount,
          destinationAddress: newAddress('Bitcoin'),
        })
    }
    await Promise.all(
      Array.from({ length: count === 0 ? MANY : FEW }, (_, n) => ask(10 + n, investor)),
    )
  }
})
test.afterAll(() => own?.remove())
test.beforeEach(async ({ open: visit }) => {
  page = await visit(admin, undefined, { at: own })
})

const queue = () => page.getByRole('region', { name: 'Waiting for a decision' })
const lines = (...texts: string[]): Locator =>
  texts.reduce(
    (found, hasText) => found.filter({ hasText }),
    queue()
      .getByRole('list', { name: /^Waiting requests/ })
      .getByRole('listitem'),
  )
const panel = () => queue().getByRole('region', { name: / · / })
const press = (name: string) => panel().getByRole('button', { name, exact: true })
const focused = () => page.evaluate(() => document.activeElement?.id ?? '')
const isAlive = async (name: string) => {
  await expect(press(name)).toBeEnabled()
  await expect(press(name)).not.toHaveAttribute('aria-disabled')
}
const decidedCount = () => lines().and(page.locator('[data-done="true"]')).count()

const open = async () => {
  await page.goto('/admin')
  await settled(page)
  await expect(lines().first()).toBeVisible()
}

test('requests stand first, oldest first, on short lines', async () => {
  await open()
  await expect(queue()).toContainText('222 waiting')
  await expect(page).toHaveTitle('(222) Admin Dashboard · Peer Lending Pool')
  await expect(lines()).toHaveCount(201)
  await expect(lines().first()).toContainText('$51.00')
  await expect(lines().first()).toContainText(/\d min/)
  const heights = await lines().evaluateAll((all) =>
    all.slice(0, 200).map((line) => line.getBoundingClientRect().height),
  )
  expect(new Set(heights)).toEqual(new Set([36]))
  const [top, tabs] = await Promise.all(
    [queue(), page.getByRole('tablist')].map((part) => part.boundingBox()),
  )
  expect(top?.y).toBeLessThan(tabs?.y ?? 0)
  await queue().getByRole('button', { name: 'Show more' }).click()
  await expect(lines()).toHaveCount(222)
})

test('filters of the queue are chips in its head', async () => {
  const chips = () => queue().getByRole('list', { name: 'Filters that are set' })
  const count = (text: RegExp) => expect(queue().getByText(text)).toBeVisible()
  await open()
  await queue().getByRole('button', { name: 'Filters: Waiting for a decision' }).click()
  const filters = page.getByRole('dialog', { name: 'Filters: Waiting for a decision' })
  await expect(filters.getByRole('group', { name: 'Status' })).toHaveCount(0)
  await filters.getByLabel('At least').fill('52')
  await filters.getByLabel('Bitcoin (BTC)').check()
  await count(/^1 waiting$/)
  await expect(lines()).toHaveCount(1)
  await expect(lines('$52.00', 'Bitcoin')).toHaveCount(1)
  await expect(page).toHaveURL(/queue-amountFrom=52/)
  await page.reload()
  await expect(lines()).toHaveCount(1)
  await expect(chips()).toContainText('Amount from $52.00')
  await chips().getByRole('button', { name: 'Network Bitcoin (BTC)' }).click()
  await filters.getByLabel('Bitcoin (BTC)').uncheck()
  await filters.getByLabel('Solana (SOL)').check()
  await page.keyboard.press('Escape')
  await expect(queue()).toContainText('Nothing matches')
  await expect(queue()).not.toContainText('Nothing to decide')
  await chips().getByRole('button', { name: 'Clear filters' }).click()
  await expect(chips()).toHaveCount(0)
  await expect(lines('$52.00')).toHaveCount(1)
})

test('flags stand in the line and say what to check', async () => {
  await open()
  const line = lines('$52.00').first()
  await expect(line).toContainText('First withdrawal')
  await expect(line.getByRole('button')).toHaveAccessibleName(/Flags: First withdrawal$/)
  await expect(lines('$29.00').first()).toContainText('Many requests')
  expect((await line.boundingBox())?.height).toBe(36)
  await line.getByRole('button').click()
  const told = panel().getByRole('region', { name: 'Check before you decide' })
  await expect(told.getByRole('listitem')).toHaveText([
    /^No withdrawal of this investor was approved before\./,
  ])
  await page.setViewportSize({ width: 375, height: 812 })
  await panel().getByRole('button', { name: 'Back to the list' }).click()
  expect((await line.boundingBox())?.height).toBe(44)
  await page.setViewportSize({ width: 1280, height: 900 })
})

test('keys open, approve and go on, and the focus follows', async () => {
  await open()
  await page.keyboard.press('j')
  await expect(panel()).toContainText(first().username)
  // A key is as dead as its button.
  await page.keyboard.press('a')
  await page.keyboard.press('a')
  expect(await decidedCount()).toBe(0)
  await isAlive('Approve')
  await page.keyboard.press('a')
  await expect(lines('$51.00').first()).toContainText('APPROVED')
  await expect(lines('$52.00').first()).toHaveAttribute('data-current', 'true')
  await expect.poll(focused).toMatch(/^queue-/)
  await page.keyboard.press('k')
  await expect(lines('$51.00').first()).toHaveAttribute('data-current', 'true')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(lines().nth(2)).toHaveAttribute('data-current', 'true')
  await expect(
    page.getByRole('status').filter({ hasText: `$51.00 for ${first().username} approved.` }),
  ).toBeVisible()
})

test('two presses at one place decide about one request', async () => {
  await open()
  const before = await page.getByRole('list', { name: 'Figures' }).textContent()
  await lines().nth(3).getByRole('button').click()
  await still(page)
  await press('Approve').click()
  await page.waitForTimeout(450)
  await page.mouse.down()
  await page.mouse.up()
  await expect.poll(decidedCount).toBe(1)
  await page.waitForTimeout(1_500)
  expect(await decidedCount()).toBe(1)
  expect(before).not.toBe(await page.getByRole('list', { name: 'Figures' }).textContent())
})

test('a rejection takes a reason, chosen and edited', async () => {
  await open()
  await lines('$52.00').first().getByRole('button').click()
  await isAlive('Reject')
  await page.keyboard.press('r')
  const reason = panel().getByRole('textbox')
  await expect(reason).toBeFocused()
  for (const leave of [() => press('Cancel').press('Enter'), () => reason.press('Escape')]) {
    await leave()
    await expect(press('Reject')).toBeFocused()
    await isAlive('Reject')
    await page.keyboard.press('r')
  }
  await panel().getByRole('button', { name: 'The address is not yours.' }).click()
  await expect(reason).toBeFocused()
  await page.keyboard.press('End')
  await reason.pressSequentially(' Write to us.')
  await press('Reject').click()
  await expect(lines('$52.00').first()).toContainText('REJECTED')
  await expect.poll(focused).toMatch(/^queue-/)
  const rejected = (await own.call(listTransactions, first())).find(
    ({ status }) => status === 'REJECTED',
  )
  expect(rejected?.reason).toBe('The address is not yours. Write to us.')
})

test('new requests wait behind their number', async () => {
  await open()
  await lines().nth(1).hover()
  const before = await lines().nth(1).boundingBox()
  const { transactionId } = await ask(77, await own.person().then(withWallet))
  await expect(queue().getByRole('status')).toContainText('A new request has arrived.')
  expect(await lines().nth(1).boundingBox()).toEqual(before)
  // Another person decides about it meanwhile.
  await own.call(confirm, admin, { transactionId })
  await expect(queue().getByRole('button', { name: '1 new' })).toHaveCount(0)
})

const withWallet = async (investor: Session): Promise<Session> => {
  await newWallet(own, admin)
  return investor
}

test("another person's decision stays in its line", async () => {
  await open()
  const name = (await lines().nth(2).getByRole('button').getAttribute('id')) ?? ''
  const transactionId = name.replace('queue-', '')
  await lines().nth(2).getByRole('button').click()
  await own.call(confirm, admin, { transactionId })
  await expect(lines().nth(2)).toContainText('APPROVED')
  await expect(lines().nth(2)).toHaveAttribute('data-current', 'true')
})

test('several are approved at once, each with its result', async () => {
  await open()
  const boxes = queue().getByRole('checkbox', { name: /^Select \$/ })
  for (const place of [4, 5, 6]) await boxes.nth(place).check()
  const name = (await lines().nth(5).getByRole('button').getAttribute('id')) ?? ''
  await queue().getByRole('button', { name: 'Approve 3…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Approve several requests' })
  await expect(dialog).toContainText(/3 requests, \$\d+\.00 in total\./)
  await expect(dialog).toContainText(/3 deposits: \$\d+\.00 credited/)
  // One of them is decided by another person before the press.
  await own.call(confirm, admin, { transactionId: name.replace('queue-', '') })
  await dialog.getByRole('button', { name: /^Approve 3 · \$/ }).click()
  await expect(dialog).toContainText('2 of 3 approved')
  await expect(dialog.getByText('Approved', { exact: true })).toHaveCount(2)
  await expect(dialog.getByText(/already approved/)).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toBeHidden()
  for (const place of [4, 5, 6]) await expect(lines().nth(place)).toContainText('APPROVED')
})

test('on a phone the story replaces the list', async () => {
  await page.setViewportSize({ width: 375, height: 667 })
  await open()
  await lines().nth(7).getByRole('button').click()
  await expect(panel()).toBeVisible()
  // The amount stands above the sticky foot.
  const edge = async (part: Locator) => (await part.boundingBox()) ?? { y: Number.NaN, height: 0 }
  const amount = await edge(
    panel()
      .getByText(/^\$[\d,.]+$/)
      .first(),
  )
  const foot = await edge(panel().locator('> div').last())
  expect(amount.y + amount.height).toBeLessThan(foot.y)
  // The domain of an email stays in one line.
  const linesOfDomain = (link: Element) => {
    const range = document.createRange()
    range.selectNode(link.lastChild as Node)
    return range.getClientRects().length
  }
  const owners = await panel().getByRole('link', { name: /@/ }).all()
  expect(owners).toHaveLength(2)
  for (const owner of owners) expect(await owner.evaluate(linesOfDomain)).toBe(1)
  await expect(lines().nth(7)).toBeHidden()
  await expect.poll(focused).toBe('queue-panel')
  await expect(press('Approve')).toBeInViewport()
  // The usual reasons leave room for the buttons below them.
  await isAlive('Reject')
  await press('Reject').click()
  for (const name of ['Reject', 'Cancel']) await expect(press(name)).toBeInViewport({ ratio: 1 })
  await press('Cancel').click()
  await panel().getByRole('button', { name: 'Back to the list' }).click()
  await expect(lines().nth(7)).toBeVisible()
  await expect.poll(focused).toMatch(/^queue-/)
})

test('decisions are in view and emails whole at once', async () => {
  const isWhole = (line: Locator) =>
    line.getByTitle(/@/).evaluate((email) => email.scrollHeight <= email.clientHeight + 1)
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await open()
    await page.evaluate(() => window.scrollTo(0, 0))
    expect(await isWhole(lines().nth(9))).toBe(true)
    if (width === 375) continue
    await expect(page.getByText('All money here is play money.')).toBeInViewport()
    const head = page.getByRole('heading', { name: 'Waiting for a decision' }).locator('..')
    // The title with the keys, and a line of filters and choices.
    expect((await head.boundingBox())?.height).toBeLessThan(100)
    await lines().nth(9).getByRole('button').click()
    for (const name of ['Approve', 'Reject', 'Next request'])
      await expect(press(name)).toBeInViewport({ ratio: 1 })
    expect(await isWhole(lines().nth(9))).toBe(true)
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
  }
})

test('the queue is accessible and fits in every look', async () => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await open()
  await expectAccessible(page, 'queue-list')
  await lines().nth(8).getByRole('button').click()
  await expect(panel().getByRole('heading', { name: 'What happened' })).toBeVisible()
  await isAlive('Approve')
  await expectAccessible(page, 'queue-open')
})

test('two hundred deposits are worked by keys and at once', async () => {
  test.slow()
  await page.setViewportSize({ width: 1280, height: 900 })
  await open()
  const began = Date.now()
  await page.keyboard.press('j')
  for (let count = 0; count < 5; count++) {
    await isAlive('Approve')
    await page.keyboard.press('a')
    await expect.poll(decidedCount).toBe(count + 1)
  }
  const each = (Date.now() - began) / 5
  // The list holds 200 requests; the others come with the next look.
  const dialog = page.getByRole('dialog', { name: 'Approve several requests' })
  const started = Date.now()
  for (const most of [200, 20]) {
    await queue().getByRole('checkbox', { name: 'Select all that are ready' }).check()
    await queue()
      .getByRole('button', { name: /^Approve \d+…/ })
      .click()
    await dialog.getByRole('button', { name: /^Approve \d+ · \$/ }).click()
    await expect(dialog).toContainText(/(\d+) of \1 approved/, { timeout: 5 * 60_000 })
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Refresh Data' }).click()
    await expect.poll(() => lines().count()).toBeLessThan(most)
  }
  const all = Date.now() - started
  const description = `${Math.round(each)} ms for one by keys, ${all} ms for the rest at once`
  test.info().annotations.push({ type: 'measured', description })
  await test.step('flagged ones stay', async () => {
    const left = (await own.call(listTransactions, admin)).filter(
      ({ status }) => status === 'PENDING',
    )
    expect(new Set(left.map(({ userId }) => userId))).toEqual(new Set([first().userId]))
    await expect(lines('Many requests')).toHaveCount(left.length)
    await expect(lines()).toHaveCount(left.length)
    for (const { id } of left) await own.call(confirm, admin, { transactionId: id })
    await page.getByRole('button', { name: 'Refresh Data' }).click()
  })
  await expect(queue()).toContainText('Nothing to decide.')
  await expect(lines()).toHaveCount(0)
  expect((await queue().boundingBox())?.height).toBeLessThan(70)
})
