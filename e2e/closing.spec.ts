import { expect, type Page, test } from '@playwright/test'
import { closeAccount } from '@pool/contract/ownData'
import { SUPER_ADMIN } from './people.ts'
import { busyInvestor, newInvestor, signedIn, startSession } from './prepare.ts'
import { looksGood, settled } from './steps.ts'

/** The closing of an account by its owner. */

const PASSWORD = 'a quiet password'
const PHONE = { width: 375, height: 812 }
const DESK = { width: 1280, height: 800 }

const opener = (page: Page) => page.getByRole('button', { name: 'Close your account' })

for (const viewport of [PHONE, DESK])
  test(`an account is closed by keyboard at ${viewport.width} px`, async ({
    browser,
    baseURL,
    request,
  }) => {
    const investor = await newInvestor(request)
    const page = await (await signedIn(browser, investor, { baseURL, viewport })).newPage()
    await page.goto('/security')
    await settled(page)
    await opener(page).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Close your account for good' })
    await expect(dialog.getByText('These go:')).toBeVisible()
    await expect(dialog.getByText('These stay, since the books need them:')).toBeVisible()
    const password = dialog.getByLabel('Your password')
    await expect(password).toBeFocused()
    await looksGood(page, `closing-${viewport.width}`)

    await page.keyboard.type('not this one')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('alert')).toHaveText('The current password is not right.')
    await password.fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByText('Your account is closed. A mail confirms it.')).toBeVisible()

    await page.getByLabel('Email').fill(investor.username)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Invalid email or password.')).toBeVisible()

    const boss = await startSession(SUPER_ADMIN, request)
    const staff = await (await signedIn(browser, boss, { baseURL, viewport })).newPage()
    await staff.goto(`/admin/users/${investor.userId}`)
    await expect(staff.getByRole('heading', { name: 'Closed account' })).toBeVisible()
    await expect(staff.getByText(investor.username)).toHaveCount(0)
    await looksGood(staff, `closed-person-${viewport.width}`)
  })

test('an account with money is told to withdraw it', async ({ browser, baseURL, request }) => {
  const page = await (await signedIn(browser, await busyInvestor(request), { baseURL })).newPage()
  await page.goto('/security')
  await settled(page)
  await opener(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(PASSWORD)
  const answered = page.waitForResponse(`**${closeAccount.path}`)
  await dialog.getByRole('button', { name: 'Close for good' }).click()
  expect((await answered).status()).toBe(409)
  await expect(dialog.getByRole('alert')).toContainText('There is money in your account.')
  await looksGood(page, 'closing-refused')
})

test('staff find no way to close their account', async ({ browser, baseURL, request }) => {
  const boss = await startSession(SUPER_ADMIN, request)
  const page = await (await signedIn(browser, boss, { baseURL })).newPage()
  await page.goto('/security')
  await expect(page.getByRole('region', { name: 'Your data' })).toBeVisible()
  await expect(opener(page)).toHaveCount(0)
})
