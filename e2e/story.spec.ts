import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import { newcomer, SUPER_ADMIN } from './people.ts'
import { addWallet, grant, rows, signIn, signUp } from './steps.ts'

const investor = newcomer()
const admin = newcomer()

const BITCOIN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
/** From the configuration of the run (playwright.config.ts). */
const FALLBACK = process.env.FALLBACK_DEPOSIT_ADDRESS ?? ''
const ETHEREUM = '0x52908400098527886E0F7030069857D2E4169EE7'

// The story counts the pool's rows, so it has a pool of its own. A retry starts anew with other
// people.
test.describe.configure({ mode: 'serial' })

let own: OwnProduct
let investorPage: Page
let adminPage: Page
let superPage: Page

test.beforeAll(async ({ browser }) => {
  own = await startOwnProduct()
  const newPage = async () =>
    (
      await browser.newContext({
        baseURL: own.url,
        permissions: ['clipboard-read', 'clipboard-write'],
      })
    ).newPage()
  investorPage = await newPage()
  adminPage = await newPage()
  superPage = await newPage()
})
test.afterAll(async () => {
  for (const page of [investorPage, adminPage, superPage]) await page?.context().close()
  await own?.remove()
})

const balance = (amount: string, options = {}) =>
  expect(investorPage.getByRole('region', { name: 'Account Balance' })).toContainText(
    amount,
    options,
  )
const refreshed = async (amount: string) => {
  await investorPage.getByRole('button', { name: 'Refresh' }).click()
  await balance(amount)
}

test('a visitor reads the landing page, registers and signs in', async () => {
  const page = investorPage
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  for (const step of ['You Invest', 'We Lend', 'Borrowers Repay', 'You Earn'])
    await expect(page.getByText(step, { exact: true }).first()).toBeVisible()
  await page.getByRole('link', { name: 'Get Started' }).first().click()
  await expect(page).toHaveURL('/register')
  await signUp(page, investor)
  await expect(
    page.getByText('Account created successfully! Please login with your credentials.'),
  ).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(investor.email)
  await page.getByLabel('Password', { exact: true }).fill(investor.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/dashboard')
  await balance('$0.00')
  await expect(page.getByText('No transactions yet')).toBeVisible()
  await expect(page.getByText('No investments yet')).toBeVisible()
})

test("without wallets a deposit shows the operator's address", async () => {
  const page = investorPage
  await page.getByRole('button', { name: /^Deposit/ }).click()
  await page.getByRole('dialog').getByLabel('Amount').fill('75')
  await page.getByRole('dialog').getByRole('button', { name: 'Initiate Deposit' }).click()
  const shown = page.getByRole('dialog', { name: 'Deposit Address' })
  await expect(shown).toContainText('This deposit was not recorded')
  await expect(shown).toContainText(FALLBACK)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Recent Transactions (0)' })).toBeVisible()
})

test('the super admin adds wallets and the operator an admin', async () => {
  await signIn(superPage, SUPER_ADMIN)
  await expect(superPage.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await addWallet(superPage, 'Bitcoin', BITCOIN)
  await addWallet(superPage, 'Ethereum', ETHEREUM)
  await expect(superPage.getByText(/^bc1qar0s.+zzwf5mdq$/)).toBeVisible()
  await expect(superPage.getByText('Available', { exact: true })).toHaveCount(2)

  await signUp(adminPage, admin)
  expect(grant(admin.email, 'ADMIN', own.dataDir)).toContain('now has the role ADMIN')
  await signIn(adminPage, admin)
  await expect(adminPage.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await expect(adminPage.getByRole('tab', { name: /^Users/ })).toHaveCount(0)
})

test('the investor deposits $250.00 and the admin confirms it', async () => {
  const page = investorPage
  await page.getByRole('button', { name: /^Deposit/ }).click()
  const ask = page.getByRole('dialog', { name: 'Initiate Deposit' })
  await ask.getByLabel('Amount').fill('250')
  // A network whose coin has a rate is chosen before.
  await ask.getByLabel('Network').selectOption('Bitcoin')
  await ask.getByRole('button', { name: 'Initiate Deposit' }).click()
  const shown = page.getByRole('dialog', { name: 'Deposit Address' })
  await expect(shown).toContainText('Bitcoin')
  await expect(shown).toContainText('$250.00')
  await expect(shown).toContainText(BITCOIN)
  await shown.getByRole('button', { name: /copy/i }).click()
  await expect(page.getByText('Address copied to clipboard!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(BITCOIN)
  await page.keyboard.press('Escape')

  await superPage.getByRole('button', { name: 'Refresh Data' }).click()
  await expect(superPage.getByText('Assigned', { exact: true })).toHaveCount(1)

  await adminPage.getByRole('button', { name: 'Refresh Data' }).click()
  await rows(adminPage, investor.email).getByRole('button', { name: 'Approve Deposit' }).click()
  await expect(rows(adminPage, investor.email, 'Approved')).toHaveCount(1)
  await refreshed('$250.00')
})

test('the investor invests $100.00 and the maturity pays itself', async () => {
  const page = investorPage
  await page.getByRole('button', { name: /^Invest Earn/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Make Investment' })
  await dialog.getByLabel('Amount').fill('100')
  await dialog.getByLabel('Duration').selectOption('1 day - 4%')
  await expect(dialog).toContainText('$4.00')
  await dialog.getByRole('button', { name: /invest/i }).click()
  await expect(dialog).toBeHidden()
  await balance('$150.00')
  await expect(page.getByRole('heading', { name: 'My Investments (1)' })).toBeVisible()
  await expect(rows(page, '$4.00', 'ACTIVE')).toHaveCount(1)

  await own.letMature(await page.evaluate(() => localStorage.getItem('userId') ?? ''))
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    await balance('$254.00', { timeout: 2_000 })
  }).toPass()
  await expect(rows(page, '1 day', 'COMPLETED')).toHaveCount(1)
  await expect(rows(page, /payout/i, '$104.00')).toHaveCount(1)
})

test('a withdrawal of $50.00 is held, rejected and returned', async () => {
  await withdraw('50')
  await balance('$204.00')
  await adminPage.getByRole('button', { name: 'Refresh Data' }).click()
  await rows(adminPage, investor.email).getByRole('button', { name: 'Reject Withdrawal' }).click()
  const dialog = adminPage.getByRole('dialog', { name: 'Reject Transaction' })
  await expect(dialog).toContainText('Please provide a reason for rejecting this transaction:')
  await dialog.getByPlaceholder('Enter rejection reason...').fill('Wrong network')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await expect(rows(adminPage, investor.email, 'Rejected')).toHaveCount(1)
  await refreshed('$254.00')
  await expect(rows(investorPage, /withdrawal/i, 'REJECTED')).toHaveCount(1)
})

test('a second withdrawal is approved', async () => {
  await withdraw('50')
  await balance('$204.00')
  await adminPage.getByRole('button', { name: 'Refresh Data' }).click()
  await rows(adminPage, investor.email).getByRole('button', { name: 'Approve Withdrawal' }).click()
  await expect(rows(adminPage, investor.email, /withdrawal/i, 'Approved')).toHaveCount(1)
  await refreshed('$204.00')
  await expect(rows(investorPage, /withdrawal/i, 'APPROVED')).toHaveCount(1)
})

test('the super admin sees everything with true figures', async () => {
  const page = superPage
  await page.getByRole('button', { name: 'Refresh Data' }).click()
  const card = (name: string) =>
    page.getByRole('list', { name: 'Figures' }).getByRole('listitem').filter({ hasText: name })
  await expect(card('Total Wallets')).toContainText('2')
  await expect(card('Total Balance')).toContainText('$204.00')
  await expect(card('Pending Transactions')).toContainText('0')
  await expect(card('Pending Investments')).toContainText('0')
  await page.getByRole('tab', { name: /^Users/ }).click()
  for (const { email } of [investor, admin, SUPER_ADMIN])
    await expect(rows(page, email)).toHaveCount(1)
  await page.getByRole('tab', { name: /^Transactions/ }).click()
  await expect(rows(page, investor.email)).toHaveCount(5)
  await page.getByRole('tab', { name: /^Investments/ }).click()
  await expect(rows(page, investor.email, '$4.00')).toHaveCount(1)
  await page.getByRole('tab', { name: /^Wallets/ }).click()
  await expect(page.getByText('Assigned', { exact: true })).toHaveCount(1)
  await expect(page.getByText('Available', { exact: true })).toHaveCount(1)
})

test('nothing stays in the browser after signing out', async () => {
  const page = investorPage
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/(login)?$/)
  expect(
    await page.evaluate(() =>
      ['token', 'username', 'userId', 'userRole'].map((key) => localStorage.getItem(key)),
    ),
  ).toEqual([null, null, null, null])
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/')
  await expect(page.getByText('$204.00')).toHaveCount(0)
})

const withdraw = async (amount: string) => {
  const page = investorPage
  await page.getByRole('button', { name: /^Withdraw/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Initiate Withdrawal' })
  await expect(dialog).toContainText('Minimum withdrawal amount: $10.00')
  await dialog.getByLabel('Amount').fill(amount)
  await dialog.getByRole('button', { name: 'Initiate Withdrawal' }).click()
  await expect(dialog).toBeHidden()
}
