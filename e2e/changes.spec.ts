import { type APIRequestContext, type Browser, expect, type Page, test } from '@playwright/test'
import { changeStream } from '@pool/contract/changes'
import { approve, confirm, reject } from '@pool/contract/decisions'
import { invest } from '@pool/contract/investments'
import { deposit, withdraw } from '@pool/contract/requests'
import { listTransactions } from '@pool/contract/transactions'
import { letMature } from './ownProduct.ts'
import { SUPER_ADMIN } from './people.ts'
import { newInvestor, newWallet, post, type Session, signedIn, startSession } from './prepare.ts'
import { grant, revoke, rows, settled } from './steps.ts'

/** Changes by others appear by themselves: no test presses Refresh. */

let api: APIRequestContext
let admin: Session
test.beforeAll(async ({ playwright, baseURL }) => {
  api = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  admin = await startSession(SUPER_ADMIN, api)
})
test.afterAll(() => api.dispose())

const isStream = (message: { url: () => string }): boolean =>
  message.url().endsWith(changeStream.path)

/** Opens a page and waits until it follows changes. */
const open = async (
  browser: Browser,
  session: Session,
  { baseURL, path = '/dashboard' }: { baseURL: string | undefined; path?: string },
) => {
  const context = await signedIn(browser, session, { baseURL })
  const page = await context.newPage()
  const following = page.waitForResponse(isStream)
  await page.goto(path)
  expect((await following).status()).toBe(200)
  await settled(page)
  return { page, context }
}

const askToDeposit = async ({ userId, token }: Session, amount: number): Promise<string> => {
  await newWallet(api, admin)
  return (await post(api, deposit.path, { userId, amount }, token)).transactionId
}
const confirmDeposit = (transactionId: string) =>
  post(api, confirm.path, { transactionId }, admin.token)

const balance = (page: Page) => page.getByRole('region', { name: 'Account Balance' })
const news = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

test('a confirmed deposit updates row and balance and is announced', async ({
  browser,
  baseURL,
}) => {
  const investor = await newInvestor(api)
  const transactionId = await askToDeposit(investor, 321.5)
  const { page, context } = await open(browser, investor, { baseURL })
  await expect(rows(page, '$321.50', 'PENDING')).toHaveCount(1)
  await confirmDeposit(transactionId)
  await expect(news(page, 'Your deposit of $321.50 is in your balance.')).toBeVisible()
  await expect(rows(page, '$321.50', 'APPROVED')).toHaveCount(1)
  await expect(balance(page)).toContainText('$321.50')
  await context.close()
})

test('decided withdrawals are announced with their reason', async ({ browser, baseURL }) => {
  const investor = await newInvestor(api)
  const { userId, token } = investor
  await confirmDeposit(await askToDeposit(investor, 500))
  const { page, context } = await open(browser, investor, { baseURL })
  const first = await post(api, withdraw.path, { userId, amount: 60 }, token)
  await expect(rows(page, '$60.00', 'PENDING')).toHaveCount(1)
  await post(api, approve.path, { transactionId: first.transactionId, userId }, admin.token)
  await expect(news(page, 'Your withdrawal of $60.00 was approved.')).toBeVisible()
  const second = await post(api, withdraw.path, { userId, amount: 70 }, token)
  await post(
    api,
    reject.path.replace('{id}', second.transactionId),
    { reason: 'The address cannot be read.' },
    admin.token,
  )
  await expect(
    news(page, 'Your withdrawal of $70.00 was rejected: The address cannot be read. The money'),
  ).toBeVisible()
  await expect(rows(page, '$70.00', 'REJECTED')).toHaveCount(1)
  await expect(balance(page)).toContainText('$440.00')
  await context.close()
})

test('an investment matures on screen, and own acts are silent', async ({ browser, baseURL }) => {
  const investor = await newInvestor(api)
  const { userId, token } = investor
  await confirmDeposit(await askToDeposit(investor, 100))
  const { page, context } = await open(browser, investor, { baseURL })
  await post(api, invest.path, { userId, amount: 100, durationDays: 1 }, token)
  await letMature(userId)
  await expect(news(page, 'Your investment has matured. $104.00 is in your balance.')).toBeVisible()
  await expect(balance(page)).toContainText('$104.00')
  await expect(page.locator('.mantine-Notification-root')).toHaveCount(1)
  await context.close()
})

test("an investor's request appears on an admin's screen", async ({ browser, baseURL }) => {
  const investor = await newInvestor(api)
  const path = `/admin?tab=transactions&transactions-search=${encodeURIComponent(investor.username)}`
  const { page, context } = await open(browser, admin, { baseURL, path })
  await askToDeposit(investor, 77.25)
  await expect(rows(page, investor.username, '$77.25', 'PENDING')).toHaveCount(1)
  await expect(page.locator('.mantine-Notification-root')).toHaveCount(0)
  await context.close()
})

test('changes of an offline time appear once online', async ({ browser, baseURL }) => {
  const investor = await newInvestor(api)
  const transactionId = await askToDeposit(investor, 55)
  const { page, context } = await open(browser, investor, { baseURL })
  const left = page.waitForEvent('requestfailed', isStream)
  await context.setOffline(true)
  await left
  await confirmDeposit(transactionId)
  await expect(rows(page, '$55.00', 'PENDING')).toHaveCount(1)
  await context.setOffline(false)
  await expect(rows(page, '$55.00', 'APPROVED')).toHaveCount(1)
  await context.close()
})

test('logging out closes the stream and opens no other', async ({ browser, baseURL }) => {
  const { page, context } = await open(browser, await newInvestor(api), { baseURL })
  const left = page.waitForEvent('requestfailed', isStream)
  const after: string[] = []
  await page.getByRole('button', { name: 'Logout' }).click()
  await left
  page.on('request', (request) => after.push(request.url()))
  await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0)
  expect(after.filter((url) => url.includes(changeStream.path))).toEqual([])
  await context.close()
})

test('logging out ends the session although the page closes', async ({ browser, baseURL }) => {
  const investor = await newInvestor(api)
  const { page, context } = await open(browser, investor, { baseURL })
  const headers = { authorization: `Bearer ${investor.token}` }
  const ask = async () => (await api.get(listTransactions.path, { headers })).status()
  expect(await ask()).toBe(200)
  await page.getByRole('button', { name: 'Logout' }).click({ noWaitAfter: true })
  await page.close()
  await expect.poll(ask).toBe(401)
  await context.close()
})

test('a session ended by the server clears the screen', async ({ browser, baseURL }) => {
  const clerk = await newInvestor(api)
  grant(clerk.username, 'ADMIN')
  const { page, context } = await open(
    browser,
    { ...clerk, roles: [{ type: 'ADMIN' }] },
    { baseURL },
  )
  revoke(clerk.username, 'ADMIN')
  await expect(page).toHaveURL('/login')
  await context.close()
})
