import { expect, type Page } from '@playwright/test'
import { closeAccount } from '@pool/contract/reports/ownData'
import { test } from './fixtures.ts'
import { PASSWORD } from './people.ts'
import { busyInvestor } from './prepare.ts'
import { expectAccessible } from './steps.ts'

/** The closing of an account by its owner. */

const opener = (page: Page) => page.getByRole('button', { name: 'Close your account' })

test('an account is closed by keyboard', async ({ open, pool }) => {
  const investor = await pool.person()
  const page = await open(investor, '/security')
  await opener(page).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Close your account for good' })
  await expect(dialog.getByText('These go:')).toBeVisible()
  await expect(dialog.getByText('These stay, since the books need them:')).toBeVisible()
  const password = dialog.getByLabel('Your password')
  await expect(password).toBeFocused()
  await expectAccessible(page, 'closing')

  await page.keyboard.type('not this one')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('The current password is not right.')
  await password.fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByText('Your account is closed. An email confirms it.')).toBeVisible()

  await page.getByLabel('Email').fill(investor.username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Invalid email or password.')).toBeVisible()

  const boss = await pool.superAdmin()
  const staff = await open(boss, `/admin/users/${investor.userId}`)
  await expect(staff.getByRole('heading', { name: 'Closed account' })).toBeVisible()
  await expect(staff.getByText(investor.username)).toHaveCount(0)
  await expectAccessible(staff, 'closed-person')
})

test('an account with money is told to withdraw it', async ({ open, pool }) => {
  const page = await open(await busyInvestor(pool), '/security')
  await opener(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(PASSWORD)
  const answered = page.waitForResponse(`**${closeAccount.path}`)
  await dialog.getByRole('button', { name: 'Close for good' }).click()
  expect((await answered).status()).toBe(409)
  await expect(dialog.getByRole('alert')).toContainText('There is money in your account.')
  await expectAccessible(page, 'closing-refused')
})

test('staff find no way to close their account', async ({ open, pool }) => {
  const boss = await pool.superAdmin()
  const page = await open(boss, '/security')
  await expect(page.getByRole('region', { name: 'Your data' })).toBeVisible()
  await expect(opener(page)).toHaveCount(0)
})
