import { expect, type Locator, type Page } from '@playwright/test'
import { formatDollars } from '@pool/contract/base/money'
import { depositTerms } from '@pool/contract/chain/wallets'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import { newAddress } from '../server/testing/addresses.ts'
import { test } from './fixtures.ts'
import { busyInvestor } from './prepare.ts'
import { DESK } from './widths.ts'

/** The dialogs of money say what will happen before anything is sent. */

const button = (within: Locator, name: string | RegExp): Locator =>
  within.getByRole('button', { name, exact: typeof name === 'string' })

/** Serves the page as that of a live pool. */
const asLive = (page: Page) =>
  page.route('**/dashboard', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace('"poolMode":"sandbox"', '"poolMode":"live"')
    await route.fulfill({ response, body })
  })

/** Opens a dialog of the dashboard. */
const choose = async (page: Page, action: RegExp): Promise<Locator> => {
  await button(page.getByRole('region', { name: 'Actions' }), action).click()
  return page.getByRole('dialog')
}
const closed = async (page: Page, dialog: Locator) => {
  await button(dialog, 'Cancel').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('a withdrawal tells its effect while it is typed', async ({ open, pool }) => {
  const investor = await busyInvestor(pool)
  const page = await open(investor, '/dashboard')
  await test.step('fills in a share and tells its effect', async () => {
    const dialog = await choose(page, /^Withdraw/)
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
    await page.setViewportSize(DESK)
    await closed(page, dialog)
  })
  await test.step('names the networks of an address while typing', async () => {
    const dialog = await choose(page, /^Withdraw/)
    const destination = dialog.getByLabel('Destination address (optional)')
    await destination.fill(newAddress('Polygon'))
    await expect(dialog).toContainText(
      'A valid address on Ethereum (ETH), Binance Smart Chain (BSC), Polygon (MATIC).',
    )
    await dialog.getByLabel('Network (optional)').selectOption('Solana')
    await expect(destination).toHaveAccessibleDescription(/not a valid Solana address/)
    await dialog.getByLabel('Network (optional)').selectOption('Polygon')
    await expect(destination).not.toHaveAttribute('aria-invalid', 'true')
    await closed(page, dialog)
  })
  await test.step('refuses a deposit address of the pool', async () => {
    const dialog = await choose(page, /^Withdraw/)
    const own = (await pool.call(listTransactions, investor)).find(
      ({ walletAddress }) => walletAddress !== '',
    )
    const destination = dialog.getByLabel('Destination address (optional)')
    await dialog.getByLabel('Amount').fill('10')
    await destination.fill(own?.walletAddress ?? '')
    await expect(destination).toHaveAccessibleDescription(/This is a deposit address of the pool/)
    await button(dialog, 'Initiate Withdrawal').click()
    await expect(destination).toBeFocused()
    await expect(dialog).toBeVisible()
    await closed(page, dialog)
  })
  await test.step('offers to save an address before a text', async () => {
    const dialog = await choose(page, /^Withdraw/)
    await dialog.getByLabel('Destination address (optional)').fill('my wallet')
    await expect(dialog).toContainText('This is not a valid address. It works in the sandbox')
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
    expect((await pool.call(listTransactions, investor))[0]).toMatchObject({
      amount: 10.01,
      destinationAddress: 'my wallet',
    })
  })
  await test.step('refuses a text in live mode as it is typed', async () => {
    await asLive(page)
    await page.goto('/dashboard')
    const dialog = await choose(page, /^Withdraw/)
    const destination = dialog.getByLabel('Destination address (optional)')
    await destination.fill('my wallet')
    await expect(destination).toHaveAccessibleDescription(/not an address that can be paid/)
    await destination.fill(newAddress())
    await expect(destination).not.toHaveAttribute('aria-invalid', 'true')
    await closed(page, dialog)
  })
})

/**
 * Typed amounts and the dollars sent for them; null for a refusal at the field. All readings are in
 * `web/app/i18n/dollars.test.ts`.
 */
const readings: Readonly<Record<'en' | 'es', readonly (readonly [string, number | null])[]>> = {
  en: [
    ['2,500', 2500],
    ['1\u00a0234.50', 1234.5],
    ['2.500', null],
    ['1e3', null],
    ['12\n500', null],
  ],
  es: [
    ['2.500', 2500],
    ['25,5', 25.5],
    ['2,500', null],
  ],
}

test('a typed amount is sent as meant, or refused', async ({ open, people }) => {
  const page = await open(people.investor, undefined, {
    own: { permissions: ['clipboard-read', 'clipboard-write'] },
  })
  const sent: number[] = []
  await page.route(`**${withdraw.path}`, (route) => {
    sent.push(route.request().postDataJSON().amount)
    return route.fulfill({ status: 409, json: { successful: false, narration: 'Not today' } })
  })
  const byKeys = (field: Locator, text: string) => field.pressSequentially(text)
  const byPaste = async (field: Locator, text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await field.press('ControlOrMeta+V')
  }
  for (const language of ['en', 'es'] as const) {
    await page.goto(`/dashboard?lang=${language}`)
    await button(
      page.getByRole('region', { name: /^(Actions|Acciones)$/ }),
      /^(Withdraw|Retirar)/,
    ).click()
    const dialog = page.getByRole('dialog')
    const amount = dialog.getByLabel(/^(Amount|Importe)/)
    for (const [text, dollars] of readings[language])
      for (const type of text.includes('\n') ? [byPaste] : [byKeys, byPaste])
        await test.step(`${language}: ${JSON.stringify(text)} ${type.name}`, async () => {
          sent.length = 0
          await amount.fill('')
          await type(amount, text)
          await dialog.locator('[type=submit]').click()
          if (dollars === null) {
            await expect(amount).toBeFocused()
            await expect(amount).toHaveAccessibleDescription(/1000 (or|o) 9\.99/)
          } else {
            await expect.poll(() => sent).toEqual([dollars])
            await expect(amount).toHaveValue(formatDollars(dollars).replace('$', ''))
            await expect(dialog.locator('[type=submit]')).not.toHaveAttribute('aria-busy', 'true')
          }
          expect(sent).toEqual(dollars === null ? [] : [dollars])
        })
  }
})

test('a withdrawal goes on once an address was saved', async ({ open, pool }) => {
  const someone = await pool.person()
  const page = await open(someone, '/dashboard')
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
  await expect(dialog.getByLabel('Amount')).toHaveValue('25.00')
  await expect(dialog).toContainText(address)
  await button(dialog, 'Cancel').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('an investment takes a pressed plan, warns of its rate', async ({ open, people }) => {
  const page = await open(people.investor, '/dashboard')
  const dialog = await choose(page, /^Invest/)
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
  await page.keyboard.press('Enter')
  await expect(duration).toHaveValue('1')
  await expect(dialog).toContainText(
    'Rates this high are unusual. See where this interest comes from.',
  )
})

test('a deposit chooses among networks, tells time and minimum', async ({ open, people }) => {
  const networks = ['Solana', 'Bitcoin'].map((name) => ({ name, symbol: '', displayName: name }))
  const asked: unknown[] = []
  const page = await open(people.investor)
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
  await page.goto('/dashboard')
  const dialog = await choose(page, /^Deposit/)
  await expect(dialog.getByLabel('Network')).toHaveValue('Solana')
  await expect(dialog).toContainText('This usually takes about 25 minutes.')
  await dialog.getByLabel('Amount').fill('9.99')
  await expect(dialog).toContainText('Below the minimum deposit of $10.00.')
  await dialog.getByLabel('Amount').fill('10')
  await expect(dialog.getByText('Below the minimum')).toHaveCount(0)
  await button(dialog, 'Initiate Deposit').click()
  await expect(page.getByRole('dialog', { name: 'Deposit Address' })).toContainText(
    'An admin confirms your payment once it has arrived. Then it shows in your balance. This usually takes about 25 minutes.',
  )
  await page.keyboard.press('Escape')
  await button(page.getByRole('region', { name: 'Actions' }), /^Deposit/).click()
  await dialog.getByLabel('Amount').fill('20')
  await dialog.getByLabel('Network').selectOption('Bitcoin')
  await button(dialog, 'Initiate Deposit').click()
  await expect
    .poll(() => asked.map((payload) => (payload as { networkName: string }).networkName))
    .toEqual(['Solana', 'Bitcoin'])
})

test('a deposit shows the network of an own address', async ({ open, people }) => {
  const page = await open(people.investor, '/dashboard')
  const dialog = await choose(page, /^Deposit/)
  await expect(dialog.getByText('Network', { exact: true }).locator('..')).toContainText('Polygon')
  await expect(dialog.getByLabel('Network')).toHaveCount(0)
})
