import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { deposit } from '@pool/contract/transactions'
import { SUPER_ADMIN } from './people.ts'
import { busyInvestor, newInvestor, signedIn, startSession } from './prepare.ts'
import { settled } from './steps.ts'

/**
 * Every screen, dialog and state, light and dark, wide and on a phone: nothing for axe to find, no sideways scrolling, nothing that
 * the Content-Security-Policy or the console objects to. With SCREENSHOTS=directory, each is also kept as a picture.
 */

type Visitor = 'visitor' | 'newInvestor' | 'investor' | 'superAdmin'
type Screen = { readonly name: string; readonly path: string; readonly by: Visitor; readonly arrange?: (page: Page) => Promise<void> }

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const tab = (name: RegExp) => (page: Page) => page.getByRole('tab', { name }).click()

const IDLE = '02:31'

const screens: readonly Screen[] = [
  { name: 'landing', path: '/', by: 'visitor' },
  { name: 'login', path: '/login', by: 'visitor' },
  { name: 'login-refused', path: '/login', by: 'visitor', arrange: async (page) => signInWrongly(page) },
  { name: 'login-invalid', path: '/login', by: 'visitor', arrange: press('Sign in') },
  { name: 'register', path: '/register', by: 'visitor' },
  { name: 'register-invalid', path: '/register', by: 'visitor', arrange: press('Create Account') },
  { name: 'dashboard-empty', path: '/dashboard', by: 'newInvestor' },
  { name: 'dashboard', path: '/dashboard', by: 'investor' },
  { name: 'deposit', path: '/dashboard', by: 'investor', arrange: press(/^Deposit/) },
  { name: 'deposit-address', path: '/dashboard', by: 'investor', arrange: async (page) => askToDeposit(page) },
  { name: 'deposit-not-recorded', path: '/dashboard', by: 'investor', arrange: async (page) => failToDeposit(page) },
  { name: 'withdrawal', path: '/dashboard', by: 'investor', arrange: press(/^Withdraw/) },
  { name: 'investment', path: '/dashboard', by: 'investor', arrange: async (page) => fillInvestment(page) },
  { name: 'idle', path: '/dashboard', by: 'investor', arrange: async (page) => waitIdle(page) },
  { name: 'admin-users', path: '/admin', by: 'superAdmin' },
  { name: 'admin-transactions', path: '/admin', by: 'superAdmin', arrange: tab(/^Transactions/) },
  { name: 'admin-investments', path: '/admin', by: 'superAdmin', arrange: tab(/^Investments/) },
  { name: 'admin-wallets', path: '/admin', by: 'superAdmin', arrange: tab(/^Wallets/) },
  { name: 'admin-add-wallet', path: '/admin', by: 'superAdmin', arrange: async (page) => addWallet(page) },
  { name: 'admin-delete-wallet', path: '/admin', by: 'superAdmin', arrange: async (page) => deleteWallet(page) },
  { name: 'admin-reject', path: '/admin', by: 'superAdmin', arrange: async (page) => rejectSomething(page) },
]

const signInWrongly = async (page: Page) => {
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await press('Sign in')(page)
  await expect(page.getByText('Login Error')).toBeVisible()
}

const askToDeposit = async (page: Page) => {
  await press(/^Deposit/)(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('75')
  await dialog.getByRole('button', { name: 'Initiate Deposit' }).click()
  await expect(page.getByRole('dialog', { name: 'Deposit Address' })).toBeVisible()
}

const failToDeposit = async (page: Page) => {
  // Whether or not there is a wallet left; with a 200, because a browser writes every other status to its console.
  await page.route(`**${deposit.path}`, (route) =>
    route.fulfill({ json: { successful: false, narration: 'No deposit address is available.' } }),
  )
  await askToDeposit(page)
  await expect(page.getByText('This deposit was not recorded')).toBeVisible()
}

const fillInvestment = async (page: Page) => {
  await press(/^Invest/)(page)
  await page.getByRole('dialog').getByLabel('Amount').fill('250')
}

const waitIdle = async (page: Page) => {
  await page.clock.fastForward(IDLE)
  await expect(page.getByText('Session Timeout Warning')).toBeVisible()
}

const addWallet = async (page: Page) => {
  await tab(/^Wallets/)(page)
  await press('Add Wallet')(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Add Wallet' }).click()
}

const deleteWallet = async (page: Page) => {
  await tab(/^Wallets/)(page)
  await press(/^Delete wallet/)(page)
  await expect(page.getByText('Are you sure you want to delete this wallet?')).toBeVisible()
}

const rejectSomething = async (page: Page) => {
  await tab(/^Transactions/)(page)
  await press('Reject Withdrawal')(page)
}

let sessions: Record<Visitor, Awaited<ReturnType<typeof startSession>> | undefined>

test.beforeAll(async ({ playwright, baseURL }) => {
  const api = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  sessions = {
    visitor: undefined,
    newInvestor: await newInvestor(api),
    investor: await busyInvestor(api),
    superAdmin: await startSession(SUPER_ADMIN, api),
  }
  await api.dispose()
})

const widths = [1280, 375]
const schemes = ['light', 'dark'] as const

for (const { name, path, by, arrange } of screens) {
  test(`${name} is accessible and fits, light and dark, wide and on a phone`, async ({ browser, baseURL }) => {
    const context = await signedIn(browser, sessions[by], { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', baseURL })
    const page = await context.newPage()
    const complaints = listen(page)
    if (name === 'idle') await page.clock.install()
    await page.goto(path)
    await settled(page)
    await arrange?.(page)

    for (const colorScheme of schemes) {
      for (const width of widths) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: width > 500 ? 900 : 812 })
        // Behind a dialog lies a screen of its own, which is looked at by itself: once, as the two stand together, is enough.
        const first = colorScheme === 'light' && width === widths[0]
        const look = new AxeBuilder({ page })
        const { violations } = await ((await page.getByRole('dialog').count()) > 0 && !first
          ? look.include('[role="dialog"]')
          : look
        ).analyze()
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
        const overflow = (await page.evaluate(() => document.documentElement.scrollWidth)) - width
        if (process.env.SCREENSHOTS) {
          await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: !arrange })
        }
        expect({ colorScheme, width, found, overflow: Math.max(0, overflow), complaints }).toEqual({
          colorScheme,
          width,
          found: [],
          overflow: 0,
          complaints: [],
        })
      }
    }
    await context.close()
  })
}

/** What the page complains about while it is looked at; a wrong password answers 401, which every browser writes to its console. */
const listen = (page: Page): string[] => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/status of 401/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}
