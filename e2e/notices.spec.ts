import { type APIRequestContext, type Browser, expect, type Page, test } from '@playwright/test'
import { changeStream } from '@pool/contract/changes'
import { confirm } from '@pool/contract/decisions'
import { deposit } from '@pool/contract/requests'
import { SUPER_ADMIN } from './people.ts'
import {
  busyInvestor,
  newInvestor,
  newWallet,
  post,
  type Session,
  signedIn,
  startSession,
} from './prepare.ts'
import { looksGood, settled } from './steps.ts'

/** The inbox behind the bell, and the choice of mails. */

const PHONE = { width: 375, height: 812 }
const DESK = { width: 1280, height: 800 }

let api: APIRequestContext
let admin: Session
test.beforeAll(async ({ playwright, baseURL }) => {
  api = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  admin = await startSession(SUPER_ADMIN, api)
})
test.afterAll(() => api.dispose())

type Options = { baseURL: string | undefined; viewport?: typeof DESK; locale?: string }

const open = async (browser: Browser, session: Session, options: Options, path = '/dashboard') => {
  const context = await signedIn(browser, session, options)
  const page = await context.newPage()
  const following = page.waitForResponse((response) => response.url().endsWith(changeStream.path))
  await page.goto(path)
  await following
  await settled(page)
  return page
}
const bell = (page: Page) => page.getByRole('button', { name: /^(Notices|Avisos)/ })
const inbox = (page: Page) => page.getByRole('region', { name: /^(Notices|Avisos)$/ })

for (const viewport of [PHONE, DESK])
  test(`the inbox is read by keyboard at ${viewport.width} px`, async ({ browser, baseURL }) => {
    const page = await open(browser, await busyInvestor(api), { baseURL, viewport })
    const faults: string[] = []
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    // Confirmed, matured, rejected, and two requested withdrawals.
    await expect(bell(page)).toHaveAccessibleName('Notices, 5 unread')
    await bell(page).focus()
    await page.keyboard.press('Enter')
    const notices = inbox(page).getByRole('listitem')
    await expect(notices.first()).toContainText('A withdrawal was requested')
    await expect(notices.first()).toContainText('$40.00')
    await expect(notices.nth(1)).toContainText('The destination cannot be read')
    await looksGood(page, 'notices')

    const mark = inbox(page).getByRole('button', { name: 'Mark all as read' })
    await mark.focus()
    await page.keyboard.press('Enter')
    await expect(bell(page)).toHaveAccessibleName('Notices')
    await expect(inbox(page).getByText('Unread')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(inbox(page)).toBeHidden()
    await bell(page).press('Enter')
    await notices.first().getByRole('link').focus()
    await page.keyboard.press('Enter')
    await expect(inbox(page)).toBeHidden()
    await expect(page.getByRole('dialog')).toContainText('$40.00')
    expect(faults).toEqual([])
    await page.context().close()
  })

test('a decision of staff rings the bell by itself', async ({ browser, baseURL }) => {
  const investor = await newInvestor(api)
  await newWallet(api, admin)
  const { userId, token } = investor
  const page = await open(browser, investor, { baseURL })
  const elsewhere = await open(browser, investor, { baseURL }, '/security')
  await bell(page).click()
  await expect(inbox(page)).toContainText('No notices yet')
  const { transactionId } = await post(api, deposit.path, { userId, amount: 75 }, token)
  await post(api, confirm.path, { transactionId }, admin.token)
  await expect(bell(page)).toHaveAccessibleName('Notices, 1 unread')
  await expect(inbox(page).getByRole('listitem').first()).toContainText('Your deposit arrived')
  await expect(bell(elsewhere)).toHaveAccessibleName('Notices, 1 unread')
  // Read in one tab is read in the other.
  await inbox(page).getByRole('button', { name: 'Mark all as read' }).click()
  await expect(bell(elsewhere)).toHaveAccessibleName('Notices')
  await page.context().close()
  await elsewhere.context().close()
})

test('an inbox that does not load offers to retry', async ({ browser, baseURL }) => {
  const page = await open(browser, await newInvestor(api), { baseURL })
  await page.route('**/api/v1/user/notices', (route) => route.abort())
  await bell(page).click()
  await expect(inbox(page).getByRole('alert')).toContainText(/network|backend/i)
  await page.unroute('**/api/v1/user/notices')
  await inbox(page).getByRole('button', { name: 'Retry' }).click()
  await expect(inbox(page)).toContainText('No notices yet')
  await page.context().close()
})

test('staff have a bell for their own account', async ({ browser, baseURL }) => {
  const page = await open(browser, admin, { baseURL }, '/admin')
  await expect(bell(page)).toBeVisible()
  await bell(page).click()
  await expect(inbox(page)).toBeVisible()
  await page.context().close()
})

for (const viewport of [PHONE, DESK])
  test(`mails are chosen by keyboard at ${viewport.width} px`, async ({ browser, baseURL }) => {
    const investor = await newInvestor(api)
    const page = await open(browser, investor, { baseURL, viewport }, '/security')
    const card = page.getByRole('region', { name: 'Mails about your money' })
    const requested = card.getByRole('group', { name: 'Deposits' }).getByLabel('Requested')
    await expect(card.getByRole('checkbox', { checked: true })).toHaveCount(5)
    await requested.focus()
    await page.keyboard.press('Space')
    await expect(card.getByText('Your choice is saved.')).toBeVisible()
    await looksGood(page, 'mails')
    await page.reload()
    await expect(requested).toBeChecked()
    await page.route('**/preferences', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await requested.press('Space')
    await expect(card.getByRole('alert')).toBeVisible()
    await expect(requested).toBeChecked()
    await page.context().close()
  })

test('the inbox speaks Spanish', async ({ browser, baseURL }) => {
  const page = await open(browser, await busyInvestor(api), { baseURL, locale: 'es-ES' })
  await bell(page).click()
  await expect(inbox(page).getByRole('listitem').first()).toContainText('Se ha pedido una retirada')
  await page.context().close()
})
