import { expect, type Page } from '@playwright/test'
import { changeStream } from '@pool/contract/base/changes'
import { invest } from '@pool/contract/money/investments'
import { approve, confirm, reject } from '@pool/contract/requests/decisions'
import { withdraw } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import { test } from './fixtures.ts'
import { askToDeposit, fund } from './prepare.ts'
import { revoke, rows, settled } from './steps.ts'

/** Changes by others appear by themselves: no test presses Refresh. */

const isStream = (message: { url: () => string }): boolean =>
  message.url().endsWith(changeStream.path)

/** Waits until the page follows changes. */
const follow = async (page: Page, path = '/dashboard') => {
  const following = page.waitForResponse(isStream)
  await page.goto(path)
  expect((await following).status()).toBe(200)
  await settled(page)
  return page
}

const balance = (page: Page) => page.getByRole('region', { name: 'Account Balance' })
const news = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

test('a confirmed deposit updates row and balance and is announced', async ({ open, pool }) => {
  const investor = await pool.person()
  const transactionId = await askToDeposit(pool, investor, 321.5)
  const page = await follow(await open(investor))
  await expect(rows(page, '$321.50', 'PENDING')).toHaveCount(1)
  await pool.call(confirm, await pool.superAdmin(), { transactionId })
  await expect(news(page, 'Your deposit of $321.50 is in your balance.')).toBeVisible()
  await expect(rows(page, '$321.50', 'APPROVED')).toHaveCount(1)
  await expect(balance(page)).toContainText('$321.50')
})

test('decided withdrawals are announced with their reason', async ({ open, pool }) => {
  const investor = await pool.person()
  const { userId } = investor
  await fund(pool, investor, 500)
  const page = await follow(await open(investor))
  const first = await pool.call(withdraw, investor, { userId, amount: 60 })
  await expect(rows(page, '$60.00', 'PENDING')).toHaveCount(1)
  await pool.call(approve, await pool.superAdmin(), { transactionId: first.transactionId, userId })
  await expect(news(page, 'Your withdrawal of $60.00 was approved.')).toBeVisible()
  const second = await pool.call(withdraw, investor, { userId, amount: 70 })
  await pool.call(
    reject,
    await pool.superAdmin(),
    { reason: 'The address cannot be read.' },
    { id: second.transactionId },
  )
  await expect(
    news(page, 'Your withdrawal of $70.00 was rejected: The address cannot be read. The money'),
  ).toBeVisible()
  await expect(rows(page, '$70.00', 'REJECTED')).toHaveCount(1)
  await expect(balance(page)).toContainText('$440.00')
})

test('an investment matures on screen, and own acts are silent', async ({ open, pool }) => {
  const investor = await pool.person()
  const { userId } = investor
  await fund(pool, investor, 100)
  const page = await follow(await open(investor))
  await pool.call(invest, investor, { userId, amount: 100, durationDays: 1 })
  await pool.letMature(userId)
  await expect(news(page, 'Your investment has matured. $104.00 is in your balance.')).toBeVisible()
  await expect(balance(page)).toContainText('$104.00')
  await expect(page.locator('.mantine-Notification-root')).toHaveCount(1)
})

test("an investor's request appears on an admin's screen", async ({ open, people, pool }) => {
  const investor = await pool.person()
  const path = `/admin?tab=transactions&transactions-search=${encodeURIComponent(investor.username)}`
  const page = await follow(await open(people.superAdmin), path)
  await askToDeposit(pool, investor, 77.25)
  await expect(rows(page, investor.username, '$77.25', 'PENDING')).toHaveCount(1)
  await expect(page.locator('.mantine-Notification-root')).toHaveCount(0)
})

test('changes of an offline time appear once online', async ({ open, pool }) => {
  const investor = await pool.person()
  const transactionId = await askToDeposit(pool, investor, 55)
  const page = await follow(await open(investor))
  const left = page.waitForEvent('requestfailed', isStream)
  await page.context().setOffline(true)
  await left
  await pool.call(confirm, await pool.superAdmin(), { transactionId })
  await expect(rows(page, '$55.00', 'PENDING')).toHaveCount(1)
  await page.context().setOffline(false)
  await expect(rows(page, '$55.00', 'APPROVED')).toHaveCount(1)
})

test('logging out closes the stream and opens no other', async ({ open, pool }) => {
  const page = await follow(await open(await pool.person()))
  const left = page.waitForEvent('requestfailed', isStream)
  const after: string[] = []
  await page.getByRole('button', { name: 'Logout' }).click()
  await left
  page.on('request', (request) => after.push(request.url()))
  await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0)
  expect(after.filter((url) => url.includes(changeStream.path))).toEqual([])
})

test('logging out ends the session although the page closes', async ({ open, pool, request }) => {
  const investor = await pool.person()
  const page = await follow(await open(investor))
  const headers = { authorization: `Bearer ${investor.token}` }
  const ask = async () => (await request.get(listTransactions.path, { headers })).status()
  expect(await ask()).toBe(200)
  await page.getByRole('button', { name: 'Logout' }).click({ noWaitAfter: true })
  await page.close()
  await expect.poll(ask).toBe(401)
})

test('a session ended by the server clears the screen', async ({ open, pool }) => {
  const clerk = await pool.person(['ADMIN'])
  const page = await follow(await open(clerk))
  revoke(clerk.username, 'ADMIN')
  await expect(page).toHaveURL('/login')
})
