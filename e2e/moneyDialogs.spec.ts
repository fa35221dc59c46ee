import { type APIRequestContext, expect, type Locator, type Page, test } from '@playwright/test'
import { deposit } from '@pool/contract/requests'
import { listTransactions, type Transaction } from '@pool/contract/transactions'
import { depositTerms } from '@pool/contract/wallets'
import { newAddress } from '../server/testing/addresses.ts'
import { busyInvestor, newInvestor, type Session, signedIn } from './prepare.ts'

/** The dialogs of money say what will happen before anything is sent. */

let api: APIRequestContext
let investor: Session

test.beforeAll(async ({ playwright, baseURL }) => {
  api = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  investor = await busyInvestor(api)
})
test.afterAll(() => api.dispose())

const button = (within: Locator, name: string | RegExp): Locator =>
  within.getByRole('button', { name, exact: typeof name === 'string' })

/** Serves the page as that of a live pool. */
const asLive = (page: Page) =>
  page.route('**/dashboard', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace('"poolMode":"sandbox"', '"poolMode":"live"')
    await route.fulfill({ response, body })
  })

const transactionsOf = async ({ token }: Session): Promise<Transaction[]> => {
  const headers = { authorization: `Bearer ${token}` }
  return (await (await api.get(listTransactions.path, { headers })).json()).body
}

const open = async (
  { browser, baseURL }: { browser: Parameters<typeof signedIn>[0]; baseURL: string | undefined },
  action: RegExp,
  arrange: (page: Page) => Promise<unknown> = async () => undefined,
) => {
  const context = await signedIn(browser, investor, { baseURL })
  const page = await context.newPage()
  await arrange(page)
  await page.goto('/dashboard')
  await button(page.getByRole('region', { name: 'Actions' }), action).click()
  return { page, dialog: page.getByRole('dialog'), close: () => context.close() }
}

test.describe('a withdrawal', () => {
  test('fills in a share and tells its effect', async ({ browser, baseURL }) => {
    const { page, dialog, close } = await open({ browser, baseURL }, /^Withdraw/)
    // 2,715.31 is available to this investor.
    const amount = dialog.getByLabel('Amount')
    for (const [share, dollars, left] of [
      ['25%', '678.82', '2,036.49'],
      ['50%', '1,357.65', '1,357.66'],
      ['Max', '2,715.31', '0.00'],
    ] as const) {
      await button(dialog, share).click()
      await expect(amount).toHaveValue(dollars)
      await expect(button(dialog, share)).toHaveAttribute('aria-pressed', 'true')
      await expect(dialog).toContainText(`$${dollars} is held now`)
      await expect(dialog).toContainText(`$${left} stays available`)
    }
    await expect(dialog).toContainText('cannot be sent before you save a payout address')
    const address = newAddress()
    await dialog.getByLabel('Destination address (optional)').fill(address)
    await expect(dialog).toContainText(`sent to ${address} once an admin approves it`)
    for (const [width, height] of [
      [1280, 800],
      [375, 667],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect(dialog.getByText('is held now')).toBeInViewport({ ratio: 1 })
    }
    await amount.fill('5')
    await expect(dialog.getByText('is held now')).toHaveCount(0)
    await close()
  })

  test('names the networks of an address while typing', async ({ browser, baseURL }) => {
    const { dialog, close } = await open({ browser, baseURL }, /^Withdraw/)
    const destination = dialog.getByLabel('Destination address (optional)')
    await destination.fill(newAddress('Polygon'))
    await expect(dialog).toContainText(
      'A valid address on Ethereum (ETH), Binance Smart Chain (BSC), Polygon (MATIC).',
    )
    await dialog.getByLabel('Network (optional)').selectOption('Solana')
    await expect(destination).toHaveAccessibleDescription(/not a valid Solana address/)
    await dialog.getByLabel('Network (optional)').selectOption('Polygon')
    await expect(destination).not.toHaveAttribute('aria-invalid', 'true')
    await close()
  })

  test('offers to save an address before a text', async ({ browser, baseURL }) => {
    const { page, dialog, close } = await open({ browser, baseURL }, /^Withdraw/)
    await dialog.getByLabel('Destination address (optional)').fill('my wallet')
    await expect(dialog).toContainText('This is not a valid address. The sandbox takes it')
    await dialog.getByLabel('Destination address (optional)').fill('')
    await dialog.getByLabel('Description (optional)').fill('my wallet')
    await expect(dialog).toContainText('The description is used as the destination')
    await dialog.getByLabel('Amount').fill('10.01')
    await button(dialog, 'Save an address').click()
    await expect(page.getByRole('dialog', { name: 'Payout address' })).toBeVisible()
    await page.keyboard.press('Escape')

    await expect(dialog.getByLabel('Amount')).toHaveValue('10.01')
    await expect(dialog.getByLabel('Description (optional)')).toHaveValue('my wallet')
    await dialog.getByLabel('Destination address (optional)').fill('my wallet')
    await button(dialog, 'Initiate Withdrawal').click()
    await expect(dialog).toBeHidden()
    expect((await transactionsOf(investor))[0]).toMatchObject({
      amount: 10.01,
      destinationAddress: 'my wallet',
    })
    await close()
  })

  test('goes on once an address was saved', async ({ browser, baseURL }) => {
    const someone = await newInvestor(api)
    const context = await signedIn(browser, someone, { baseURL })
    const page = await context.newPage()
    await page.goto('/dashboard')
    await button(page.getByRole('region', { name: 'Actions' }), /^Withdraw/).click()
    const dialog = page.getByRole('dialog', { name: 'Initiate Withdrawal' })
    await dialog.getByLabel('Amount').fill('25')
    await button(dialog, 'Save an address').click()
    const saving = page.getByRole('dialog', { name: 'Payout address' })
    await saving.getByLabel('Network').selectOption('Bitcoin')
    const address = newAddress()
    await saving.getByLabel('Address', { exact: true }).fill(address)
    await saving.locator('button[type="submit"]').click()
    await expect(saving).toBeHidden()
    await expect(dialog.getByLabel('Amount')).toHaveValue('25')
    await expect(dialog).toContainText(address)
    await button(dialog, 'Cancel').click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await context.close()
  })

  test('refuses a deposit address of the pool', async ({ browser, baseURL }) => {
    const { dialog, close } = await open({ browser, baseURL }, /^Withdraw/)
    const own = (await transactionsOf(investor)).find(({ walletAddress }) => walletAddress !== '')
    const destination = dialog.getByLabel('Destination address (optional)')
    await dialog.getByLabel('Amount').fill('10')
    await destination.fill(own?.walletAddress ?? '')
    await expect(destination).toHaveAccessibleDescription(/This is a deposit address of the pool/)
    await button(dialog, 'Initiate Withdrawal').click()
    await expect(destination).toBeFocused()
    await expect(dialog).toBeVisible()
    await close()
  })

  test('refuses a text in live mode as it is typed', async ({ browser, baseURL }) => {
    const { dialog, close } = await open({ browser, baseURL }, /^Withdraw/, asLive)
    const destination = dialog.getByLabel('Destination address (optional)')
    await destination.fill('my wallet')
    await expect(destination).toHaveAccessibleDescription(/not an address that can be paid/)
    await destination.fill(newAddress())
    await expect(destination).not.toHaveAttribute('aria-invalid', 'true')
    await close()
  })
})

test.describe('an investment', () => {
  test('takes a pressed plan and warns of its rate', async ({ browser, baseURL }) => {
    const { dialog, close } = await open({ browser, baseURL }, /^Invest/)
    const duration = dialog.getByLabel('Duration')
    const plan = (name: RegExp) =>
      dialog.getByRole('list', { name: 'What each plan earns' }).getByRole('button', { name })
    await button(dialog, '50%').click()
    await plan(/^5 days - 5%.*365% a year/).click()
    await expect(duration).toHaveValue('5')
    await expect(plan(/^5 days/)).toHaveAttribute('aria-pressed', 'true')
    await duration.selectOption('12 days - 7%')
    await expect(plan(/^12 days/)).toHaveAttribute('aria-pressed', 'true')
    await expect(plan(/^5 days/)).toHaveAttribute('aria-pressed', 'false')
    await plan(/^1 day /).focus()
    await dialog.page().keyboard.press('Enter')
    await expect(duration).toHaveValue('1')
    await expect(dialog).toContainText(
      'Rates like this are a common sign of fraud. Ask where the money comes from.',
    )
    await close()
  })
})

test.describe('a deposit', () => {
  test('chooses among networks, tells the time and the minimum', async ({ browser, baseURL }) => {
    const networks = ['Solana', 'Bitcoin'].map((name) => ({ name, symbol: '', displayName: name }))
    const asked: unknown[] = []
    const { dialog, page, close } = await open({ browser, baseURL }, /^Deposit/, async (page) => {
      await page.route(`**${depositTerms.path}`, (route) =>
        route.fulfill({
          json: { successful: true, narration: 'OK', body: { networks, usualMinutes: 25 } },
        }),
      )
      await page.route(`**${deposit.path}`, (route) => {
        asked.push(route.request().postDataJSON())
        return route.fulfill({
          json: {
            successful: true,
            narration: 'OK',
            body: { address: newAddress('Solana'), networkName: 'Solana' },
          },
        })
      })
    })
    await expect(dialog.getByLabel('Network')).toHaveValue('Solana')
    await expect(dialog).toContainText('This usually takes about 25 minutes.')
    await dialog.getByLabel('Amount').fill('9.99')
    await expect(dialog).toContainText('This is below the minimum deposit of $10.00.')
    await dialog.getByLabel('Amount').fill('10')
    await expect(dialog.getByText('This is below')).toHaveCount(0)
    await button(dialog, 'Initiate Deposit').click()
    await expect(page.getByRole('dialog', { name: 'Deposit Address' })).toContainText(
      'An admin confirms your payment once it has arrived. Then it is in your balance. This usually takes about 25 minutes.',
    )
    await page.keyboard.press('Escape')
    await button(page.getByRole('region', { name: 'Actions' }), /^Deposit/).click()
    await dialog.getByLabel('Amount').fill('20')
    await dialog.getByLabel('Network').selectOption('Bitcoin')
    await button(dialog, 'Initiate Deposit').click()
    await expect
      .poll(() => asked.map((payload) => (payload as { networkName: string }).networkName))
      .toEqual(['Solana', 'Bitcoin'])
    await close()
  })

  test('shows the network of an own address', async ({ browser, baseURL }) => {
    const { dialog, close } = await open({ browser, baseURL }, /^Deposit/)
    await expect(dialog.getByText('Network', { exact: true }).locator('..')).toContainText(
      'Polygon',
    )
    await expect(dialog.getByLabel('Network')).toHaveCount(0)
    await close()
  })
})
